import { ApiProperty } from '@nestjs/swagger';

/** The current version of the Web SDK (docs/web-sdk.md#script-and-versions). */
export class WebSdkVersionResponse {
  @ApiProperty({ description: 'Latest version', example: '1.0.0' })
  version!: string;

  @ApiProperty({
    description: 'URL of the script',
    example: 'https://api.example.com/sdk/web/1.0.0/waypost.js',
  })
  sdkUrl!: string;

  @ApiProperty({
    description: 'Changelog, in Markdown',
    example: 'https://api.example.com/sdk/web/1.0.0/CHANGELOG.md',
  })
  changelogUrl!: string;

  @ApiProperty({ description: 'Name of the SDK', example: 'Waypost Web SDK' })
  name!: string;
}

export function toWebSdkVersionResponse(baseUrl: string, version: string): WebSdkVersionResponse {
  const folder = `${baseUrl}/sdk/web/${version}`;
  return {
    version,
    sdkUrl: `${folder}/waypost.js`,
    changelogUrl: `${folder}/CHANGELOG.md`,
    name: 'Waypost Web SDK',
  };
}

import { ApiProperty } from '@nestjs/swagger';

/** Web SDK version result (docs/web-sdk.md#script-and-versions). */
export class WebSdkVersionResponse {
  @ApiProperty({ description: 'Latest version', example: '1.14.0' })
  version!: string;

  @ApiProperty({
    description: 'Address of its script',
    example: 'https://api.example.com/sdk/web/1.14.0/waypost.js',
  })
  sdkUrl!: string;

  @ApiProperty({
    description: 'What has changed from version to version, in Markdown',
    example: 'https://api.example.com/sdk/web/1.14.0/CHANGELOG.md',
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

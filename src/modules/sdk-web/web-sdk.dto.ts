import { Field } from '../../common/http/api-field';

/** The current version of the Web SDK (docs/web-sdk.md#script-and-versions). */
export class WebSdkVersionResponse {
  @Field('Latest version', '1.13.0')
  version!: string;

  @Field('URL of the script', 'https://api.example.com/sdk/web/1.13.0/waypost.js')
  sdkUrl!: string;

  @Field('Changelog, in Markdown', 'https://api.example.com/sdk/web/1.13.0/CHANGELOG.md')
  changelogUrl!: string;

  @Field('Name of the SDK', 'Waypost Web SDK')
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

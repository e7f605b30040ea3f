import { INTEGER, Field } from '../../common/http/api-field';
import { OrganizationPath } from '../../access/organization-path.dto';
import { Bool, Int, PathId } from '../../common/validation/atoms';
import type { App } from './app.entity';

export class OrganizationAppPath extends OrganizationPath {
  @PathId({ description: 'Id of the app' })
  id!: number;
}

/** Only the fields supplied change; null counts as omitted. */
export class UpdateAppSettingsRequest {
  @Int({
    min: 1,
    max: 1_000_000,
    description: 'SDK API calls per minute (platform only); a new app has 1000',
    example: 1000,
    optional: true,
  })
  sdkRatePerMinute?: number | null;

  @Bool({
    description:
      'Whether assetlinks.json of the short domain, which all organizations share, names the Android app (platform ' +
      'only); a new app is not named there. Domains of the organization name it in any case',
    example: false,
    optional: true,
  })
  onShortDomain?: boolean | null;
}

export class AppSettingsResponse {
  @Field('SDK API calls per minute', 1000, INTEGER)
  sdkRatePerMinute!: number;

  @Field('Whether assetlinks.json of the short domain names the Android app; the platform decides', false)
  onShortDomain!: boolean;
}

export function toAppSettingsResponse({ sdkRatePerMinute, onShortDomain }: App): AppSettingsResponse {
  return { sdkRatePerMinute, onShortDomain };
}

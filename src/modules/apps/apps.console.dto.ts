import { ApiProperty } from '@nestjs/swagger';
import { OrganizationPath } from '../../access/organizations/organizations.dto';
import { Int, PathId } from '../../common/validation/atoms';
import type { App } from './app.entity';

export class OrganizationAppPath extends OrganizationPath {
  @PathId({ description: 'Id of the app' })
  id!: number;
}

/** Only supplied fields change; null counts as not supplied. */
export class UpdateAppSettingsRequest {
  @Int({
    min: 1,
    max: 1_000_000,
    description: 'SDK API calls a minute (platform only); 1000 for a new app',
    example: 1000,
    optional: true,
  })
  sdkRatePerMinute?: number | null;
}

export class AppSettingsResponse {
  @ApiProperty({ type: 'integer', description: 'SDK API calls a minute', example: 1000 })
  sdkRatePerMinute!: number;
}

export function toAppSettingsResponse({ sdkRatePerMinute }: App): AppSettingsResponse {
  return { sdkRatePerMinute };
}

import { ApiProperty } from '@nestjs/swagger';
import { OrganizationPath } from '../../access/organizations/organizations.dto';
import { Int, PathId } from '../../common/validation/atoms';
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
}

export class AppSettingsResponse {
  @ApiProperty({ type: 'integer', description: 'SDK API calls per minute', example: 1000 })
  sdkRatePerMinute!: number;
}

export function toAppSettingsResponse({ sdkRatePerMinute }: App): AppSettingsResponse {
  return { sdkRatePerMinute };
}

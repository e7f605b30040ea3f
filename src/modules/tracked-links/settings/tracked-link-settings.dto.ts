import { ApiProperty } from '@nestjs/swagger';
import { Bool, Int, Nested, PathId } from '../../../common/validation/atoms';
import type { TargetEntity } from '../tracked-link.entity';

/** The longest de-duplication window of any plan, in minutes; the organization's own cap is the service's check. */
const MAX_WINDOW = 10_080;
const optional = true;

export class SettingsPath {
  @PathId({ description: 'Id of the organization' })
  orgId!: number;

  @PathId({ description: 'Id of the link or campaign' })
  id!: number;
}

class DeduplicationSettings {
  @Bool({ description: 'Whether repeated clicks from one address count once', example: true })
  enabled!: boolean;

  @Int({
    min: 1,
    max: MAX_WINDOW,
    description: "Minutes in which they count once, up to the plan's cap; needed when enabled",
    example: 60,
    optional,
  })
  windowMinutes?: number | null;
}

class AdPageSettings {
  @Bool({ description: 'Whether the ad page is shown before the destination', example: false })
  enabled!: boolean;
}

/** Only supplied parts change. */
export class UpdateSettingsRequest {
  @Nested(() => DeduplicationSettings, {
    description: 'Click de-duplication',
    example: { enabled: true, windowMinutes: 60 },
    optional,
  })
  deduplication?: DeduplicationSettings | null;

  @Nested(() => AdPageSettings, { description: 'Ad page', optional })
  adPage?: AdPageSettings | null;
}

export class DeduplicationResponse {
  @ApiProperty({ description: 'Whether repeated clicks from one address count once', example: true })
  enabled!: boolean;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Minutes; null when not enabled',
    example: 60,
  })
  windowMinutes!: number | null;
}

export class AdPageResponse {
  @ApiProperty({ description: 'Whether the ad page is shown before the destination', example: false })
  enabled!: boolean;
}

export class SettingsResponse {
  @ApiProperty({ type: DeduplicationResponse, description: 'Click de-duplication' })
  deduplication!: DeduplicationResponse;

  @ApiProperty({ type: AdPageResponse, description: 'Ad page' })
  adPage!: AdPageResponse;
}

export function toSettingsResponse(target: TargetEntity): SettingsResponse {
  const windowMinutes = target.deduplicationWindowMinutes;
  return {
    deduplication: { enabled: windowMinutes !== null, windowMinutes },
    adPage: { enabled: target.showAdPage },
  };
}

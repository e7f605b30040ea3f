import { INTEGER_OR_NULL, Field } from '../../../common/http/api-field';
import { Bool, Int, Nested, PathId } from '../../../common/validation/atoms';
import type { TrackedLinkEntity } from '../tracked-link.entity';

/** The longest window of any plan, in minutes; the service checks the organization's limit. */
const MAX_WINDOW = 10_080;
const optional = true;

export class SettingsPath {
  @PathId({ description: 'Id of the link or campaign' })
  id!: number;
}

class DeduplicationSettings {
  @Bool({ description: 'Whether repeated clicks from one address count once', example: true })
  enabled!: boolean;

  @Int({
    min: 1,
    max: MAX_WINDOW,
    description: "De-duplication window in minutes, up to the plan's cap; required when enabled",
    example: 60,
    optional,
  })
  windowMinutes?: number | null;
}

class AdPageSettings {
  @Bool({ description: 'Whether the ad page is shown before the destination', example: false })
  enabled!: boolean;
}

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
  @Field('Whether repeated clicks from one address count once', true)
  enabled!: boolean;

  @Field('De-duplication window in minutes; null when disabled', 60, INTEGER_OR_NULL)
  windowMinutes!: number | null;
}

export class AdPageResponse {
  @Field('Whether the ad page is shown before the destination', false)
  enabled!: boolean;
}

export class SettingsResponse {
  @Field('Click de-duplication', undefined, { type: DeduplicationResponse })
  deduplication!: DeduplicationResponse;

  @Field('Ad page', undefined, { type: AdPageResponse })
  adPage!: AdPageResponse;
}

export function toSettingsResponse(trackedLink: TrackedLinkEntity): SettingsResponse {
  const windowMinutes = trackedLink.deduplicationWindowMinutes;
  return {
    deduplication: { enabled: windowMinutes !== null, windowMinutes },
    adPage: { enabled: trackedLink.showAdPage },
  };
}

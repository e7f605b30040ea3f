import { OmitType } from '@nestjs/swagger';
import { type Stage, STAGES } from '../../sessions/funnel';
import { OneOf } from '../../../common/validation/atoms';
import { TrackFunnelRequest } from '../../cross-platform/funnel.dto';

const STAGE_CODES = STAGES.map(([stage]) => stage);
const APP_PLATFORMS = ['IOS', 'ANDROID'] as const;

/** Body of deeplink/funnel/track (docs/concepts/sessions.md#stages), where a mobile app names the stage. */
export class TrackAppFunnelRequest extends OmitType(TrackFunnelRequest, ['stage', 'platform'] as const) {
  @OneOf(STAGE_CODES, { description: 'The stage that the session has reached', example: 'APP_OPENED' })
  stage!: Stage;

  @OneOf(APP_PLATFORMS, {
    optional: true,
    description: "Platform; defaults to the session's, then the app's",
    example: 'IOS',
  })
  platform?: (typeof APP_PLATFORMS)[number] | null;
}

import { PathId, Text } from '../../../common/validation/atoms';
import { OnlyKnownNames } from '../../../common/validation/known-names';
import { Bots } from '../../click-statistics/click-log/click-log.dto';
import type { BotChoice } from '../../click-statistics/click-log/click-log.query';

const optional = true;
/** Characters of a cursor, which contains the ids of all running transactions of a snapshot. */
const MAX_CURSOR = 8_000;

@OnlyKnownNames()
export class LiveClicksQuery {
  @PathId({
    description: 'Only clicks of this link; VALIDATION_FAILED when combined with campaignId',
    example: 1,
    optional,
  })
  urlId?: number | null;

  @PathId({
    description: 'Only clicks of this campaign; VALIDATION_FAILED when combined with urlId',
    example: 1,
    optional,
  })
  campaignId?: number | null;

  @Bots
  bots: BotChoice = 'exclude';

  @Text({
    max: MAX_CURSOR,
    description:
      'Id of the last event received, for clients that cannot send the header Last-Event-ID, which counts first. Absent ' +
      'or empty: from now on',
    example: '',
    optional,
  })
  lastEventId?: string | null;
}

const CLICK =
  '{"id":100000042,"clickedAt":"2026-11-20T08:32:00Z","urlId":1,"campaignId":null,"country":"KR","deviceType":"Mobile",' +
  '"os":"iOS","browser":"Mobile Safari","referrer":null,"tracker":null,"customId":null,"utmSource":null,' +
  '"utmMedium":null,"utmTerm":null,"utmContent":null,"utmCampaign":null,"variant":null,"isBot":false}';

export const STREAM_CONTENT = {
  'text/event-stream': {
    schema: { type: 'string' },
    example:
      'retry: 1000\n\nevent: ready\nid: mhw3k-mhw3m-750:750:\ndata: {}\n\n' +
      `event: clicks\nid: mhw3k-mhw3n-752:752:\ndata: [${CLICK}]\n\n`,
  },
};

import { toDateTime } from '../../common/time/format';
import type { SessionTransition } from './session-transition.entity';

/** A session that went on elsewhere: from the web to the app. */
export type Transition = Pick<
  SessionTransition,
  'id' | 'sessionId' | 'fromPlatform' | 'toPlatform' | 'occurredAt'
>;

/** As the API shows it. */
export function shownTransition({ id, sessionId, fromPlatform, toPlatform, occurredAt }: Transition) {
  return { transitionId: id, sessionId, fromPlatform, toPlatform, occurredAt: toDateTime(occurredAt) };
}

import { toDateTime } from '../../common/time/format';
import type { SessionTransition } from './session-transition.entity';

/** A transition of a session to another platform, such as from the web to the app. */
export type Transition = Pick<
  SessionTransition,
  'id' | 'sessionId' | 'fromPlatform' | 'toPlatform' | 'occurredAt'
>;

/** Presents a transition for the API. */
export function presentTransition({ id, sessionId, fromPlatform, toPlatform, occurredAt }: Transition) {
  return { transitionId: id, sessionId, fromPlatform, toPlatform, occurredAt: toDateTime(occurredAt) };
}

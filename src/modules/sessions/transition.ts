import type { SessionPlatform } from './funnel';
import { toDateTime } from '../../common/time/format';

/** A session that went on elsewhere: from the web to the app. */
export interface Transition {
  id: number;
  sessionId: string;
  fromPlatform: SessionPlatform;
  toPlatform: SessionPlatform;
  occurredAt: Date;
}

/** As the API shows it. */
export function shownTransition({ id, sessionId, fromPlatform, toPlatform, occurredAt }: Transition) {
  return { transitionId: id, sessionId, fromPlatform, toPlatform, occurredAt: toDateTime(occurredAt) };
}

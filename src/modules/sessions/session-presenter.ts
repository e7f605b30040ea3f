import { toDateTime } from '../../common/time/format';
import { DEVICE_FIELDS, hasReached, type Session, stagesOf } from './session';

/** The form of a session in the API and in webhooks (docs/concepts/sessions.md#life-of-a-session). */
export function presentSession(session: Session) {
  const { id: sessionId, appId, platform, externalUserId, goalType, trackedLink } = session;
  const { utmSource, utmMedium, utmTerm, utmContent, referrer, landingUrl, country, deviceInfo } = session;
  return {
    sessionId,
    appId,
    platform,
    externalUserId,
    urlId: trackedLink?.kind === 'link' ? trackedLink.id : null,
    campaignId: trackedLink?.kind === 'campaign' ? trackedLink.id : null,
    goalType,
    deviceInfo: deviceInfo && presentDevice(deviceInfo),
    utmSource,
    utmMedium,
    utmTerm,
    utmContent,
    referrer,
    landingUrl,
    country,
    startedAt: toDateTime(session.startedAt),
    lastActivityAt: toDateTime(session.lastActivityAt),
    stages: stagesOf(session),
    converted: hasReached(session, 'GOAL_COMPLETED'),
  };
}

function presentDevice(device: NonNullable<Session['deviceInfo']>) {
  const entries = DEVICE_FIELDS.map((field) => [field, device[field] ?? null]);
  return Object.fromEntries(entries) as Record<(typeof DEVICE_FIELDS)[number], string | null>;
}

import { INSTALLED_ON, type SessionPlatform } from './funnel';
import type { SessionChange } from './session-change';

/**
 * Counts the install that a session has just reached, except for web apps.
 * @param reported platform of the app; null for the session's
 */
export function addInstall({ session, sums, at }: SessionChange, reported: SessionPlatform | null): void {
  const { organizationId, appId, id: sessionId, trackedLink, country, deviceInfo } = session;
  const platform = INSTALLED_ON[reported ?? session.platform];
  if (appId === null || !platform) return;
  sums.addInstall({
    ...{ organizationId, appId, trackedLink, sessionId, platform, country },
    osVersion: deviceInfo?.osVersion ?? null,
    deviceModel: deviceInfo?.deviceModel ?? null,
    at: at.getTime(),
  });
}

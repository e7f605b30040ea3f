import { INSTALLED_ON, type SessionPlatform } from './funnel';
import type { SessionChange } from './session-change';

/**
 * Counts the installation that a session has just reached; a web app is not installed from a store.
 * @param told platform of the app; null: that of the session
 */
export function addInstall({ session, sums, at }: SessionChange, told: SessionPlatform | null): void {
  const { organizationId, appId, id: sessionId, target, country, deviceInfo } = session;
  const platform = INSTALLED_ON[told ?? session.platform];
  if (appId === null || !platform) return;
  sums.addInstall({
    ...{ organizationId, appId, target, sessionId, platform, country },
    osVersion: deviceInfo?.osVersion ?? null,
    deviceModel: deviceInfo?.deviceModel ?? null,
    at: at.getTime(),
  });
}

import { stagesOfStart } from './app-start';
import { INSTALLED_ON, type SessionPlatform, type Stage } from './funnel';
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

/**
 * Adds the stages, and with them the install, that an app start has reached.
 * @param platform null for a web app
 * @returns the stages that are new to the session
 */
export function reachByStart(
  change: SessionChange,
  platform: 'iOS' | 'Android' | null,
  installed: boolean,
): { stage: Stage; occurredAt: Date }[] {
  const stages = stagesOfStart(platform, installed).filter((stage) => change.reach(stage));
  if (stages.includes('APP_INSTALLED')) addInstall(change, platform === 'iOS' ? 'IOS' : 'ANDROID');
  return stages.map((stage) => ({ stage, occurredAt: change.at }));
}

import type { Stage } from './funnel';

/** Evidence of whether a click led to an install or only opened the app. */
export interface AppStart {
  /** As reported by the app, if it was. */
  isFirstLaunch: boolean | null;
  /** Whether an earlier click of the same browser opened the app, which had then been installed before. */
  isKnownBrowser: boolean;
}

/** Stages that a click has reached if it led to an install. */
const INSTALLED: readonly Stage[] = ['APP_INSTALLED', 'APP_OPENED', 'DEEP_LINK_RESOLVED'];
const OPENED: readonly Stage[] = ['DEEP_LINK_RESOLVED'];

/**
 * Whether the click led to an install or only opened the app (docs/concepts/deep-links.md#install-or-opening).
 * @param looksLikeInstall the assumption about an app that does not report first launches
 */
export function isInstall({ isFirstLaunch, isKnownBrowser }: AppStart, looksLikeInstall: boolean): boolean {
  return isFirstLaunch ?? (looksLikeInstall && !isKnownBrowser);
}

/** @param platform null for a web app, which cannot be installed */
export function stagesOfStart(platform: 'iOS' | 'Android' | null, installed: boolean): readonly Stage[] {
  return installed && platform !== null ? INSTALLED : OPENED;
}

import type { Stage } from './funnel';

/** Evidence for whether a click led to an install or only opened the app. */
export interface AppStart {
  /** Reported by the app; null if it does not report it. */
  isFirstLaunch: boolean | null;
  /** Whether an earlier click of the same browser opened the app, which was therefore installed already. */
  isKnownBrowser: boolean;
}

/** Stages that a click reaches by leading to an install. */
const INSTALLED: readonly Stage[] = ['APP_INSTALLED', 'APP_OPENED', 'DEEP_LINK_RESOLVED'];
const OPENED: readonly Stage[] = ['DEEP_LINK_RESOLVED'];

/**
 * Whether the click led to an install or only opened the app (docs/concepts/deep-links.md#install-or-opening).
 * @param looksLikeInstall assumption for an app that does not report first launches
 */
export function isInstall({ isFirstLaunch, isKnownBrowser }: AppStart, looksLikeInstall: boolean): boolean {
  return isFirstLaunch ?? (looksLikeInstall && !isKnownBrowser);
}

/** @param platform null for a web app, which cannot be installed */
export function stagesOfStart(platform: 'iOS' | 'Android' | null, installed: boolean): readonly Stage[] {
  return installed && platform !== null ? INSTALLED : OPENED;
}

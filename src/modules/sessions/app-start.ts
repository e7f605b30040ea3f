import type { Stage } from './funnel';

/** What is known of an app's start that follows a click. */
export interface AppStart {
  /** What the app says; null: nothing. */
  isFirstLaunch: boolean | null;
  /** Whether another click of the same browser has led into the app before: it was there already. */
  isKnownBrowser: boolean;
}

/** Stages of a first start that a click led to. */
const INSTALLED: readonly Stage[] = ['APP_INSTALLED', 'APP_OPENED', 'DEEP_LINK_RESOLVED'];
const OPENED: readonly Stage[] = ['DEEP_LINK_RESOLVED'];

/**
 * Whether the app was installed because of the click, or only opened by it (docs/concepts/deep-links.md#install-or-opening).
 * @param looksLikeInstall what to assume of an app that says nothing
 */
export function isInstall({ isFirstLaunch, isKnownBrowser }: AppStart, looksLikeInstall: boolean): boolean {
  return isFirstLaunch ?? (looksLikeInstall && !isKnownBrowser);
}

/** @param platform null for a web app, which is not installed */
export function stagesOfStart(platform: 'iOS' | 'Android' | null, installed: boolean): readonly Stage[] {
  return installed && platform !== null ? INSTALLED : OPENED;
}

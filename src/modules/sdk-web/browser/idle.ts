import type { Tracker } from './types';

const nothing = () => undefined;

/** Rejects whoever waits; a page that does not wait is not bothered, as servers end at an unhandled rejection. */
function refuse(): Promise<never> {
  const refused = Promise.reject(new Error('Waypost: this is no browser'));
  refused.catch(nothing);
  return refused;
}

/** The tracker where there is no page: pages that are rendered on a server call the same code there. */
export const idleTracker: Tracker = {
  trackPurchase: nothing,
  trackGoal: nothing,
  trackSignup: nothing,
  trackConversion: nothing,
  trackEvent: nothing,
  trackStage: nothing,
  registerLink: nothing,
  identify: refuse,
  optIn: refuse,
  withdraw: refuse,
  syncPushConsent: nothing,
  reset: nothing,
  getSession: () => null,
  refreshSession: refuse,
  notifyReady: nothing,
  flush: () => Promise.resolve(),
  updateFingerprint: () => Promise.resolve(),
  trackStoreVisit: nothing,
  debugScheme: nothing,
};

export function isBrowser(): boolean {
  return typeof window !== 'undefined' && typeof document !== 'undefined';
}

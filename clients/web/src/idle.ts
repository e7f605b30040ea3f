import type { Tracker } from './types';

const nothing = () => undefined;

/** Rejects, with the rejection marked as handled: an unhandled one would end a server's process. */
function refuse(): Promise<never> {
  const refused = Promise.reject(new Error('Waypost: not running in a browser'));
  refused.catch(nothing);
  return refused;
}

/** The no-op tracker for server-side rendering. */
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

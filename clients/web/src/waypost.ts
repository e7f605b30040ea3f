import { idleTracker, isBrowser } from './idle';
import { WebTracker } from './web-tracker';
import { SDK_VERSION } from './version';
import type { InitOptions, Tracker } from './types';

export type * from './types';

let instance: WebTracker | null = null;
let isIdle = false;

/** Version of the SDK. */
export const version: string = SDK_VERSION;

/**
 * Starts tracking on this page. It returns immediately; calls tracked before the session exists wait for it.
 * Called again, it returns the existing tracker. On a server the tracker does nothing.
 * @throws TypeError for invalid options
 */
export function init(options: InitOptions): Tracker {
  if (!isBrowser()) {
    isIdle = true;
    return idleTracker;
  }
  if (!instance) {
    instance = new WebTracker(options);
    instance.start();
  }
  return instance;
}

/** Returns the tracker, or null before `init`. Native code calls `Waypost.getInstance()`. */
export function getInstance(): Tracker | null {
  return instance ?? (isIdle ? idleTracker : null);
}

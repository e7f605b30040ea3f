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
 * Begins tracking on this page. It returns at once; what is tracked before the session is there waits for it.
 * Called again, it returns the tracker that is there. On a server the tracker does nothing.
 * @throws TypeError for options that can't work
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

/** The tracker; null before `init`. Native code reaches it as `Waypost.getInstance()`. */
export function getInstance(): Tracker | null {
  return instance ?? (isIdle ? idleTracker : null);
}

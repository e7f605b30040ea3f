import type { components } from './schema.gen';
import { Store } from './store';

export type Me = components['schemas']['MeResponse'];

/** The signed-in user; null before sign-in. */
export const me = new Store<Me | null>(null);
/** Whether the session has ended while a page was open; a dialog over the page then asks to sign in again. */
export const sessionEnded = new Store(false);
/** Whether the last request could not reach the service. */
export const serviceAway = new Store(false);

/** Resolves once the user has signed in again. */
export function signedInAgain(): Promise<void> {
  sessionEnded.set(true);
  return new Promise((resolve) => {
    const stop = sessionEnded.subscribe(() => {
      if (sessionEnded.get()) return;
      stop();
      resolve();
    });
  });
}

/** Repeats the requests that waited for the sign-in; another user starts with a new page. */
export function resumeSession(user: Me): void {
  if (me.get()?.id !== user.id) location.reload();
  else {
    me.set(user);
    sessionEnded.set(false);
  }
}

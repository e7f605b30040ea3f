import type { components } from './schema.gen';
import { Store } from './store';

export type Me = components['schemas']['MeResponse'];

/** The signed-in user; null before sign-in. */
export const me = new Store<Me | null>(null);
/** Whether the session ended while a page was open; a dialog over the page then asks to sign in again. */
export const sessionEnded = new Store(false);
/** Whether the service could not be reached by the last call. */
export const serviceAway = new Store(false);

/** Resolves once somebody has signed in again. */
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

/** Ends the wait of the calls that the end of the session refused; another user begins anew. */
export function resumeSession(user: Me): void {
  if (me.get()?.id !== user.id) location.reload();
  else {
    me.set(user);
    sessionEnded.set(false);
  }
}

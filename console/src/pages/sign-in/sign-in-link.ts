import { useCallback, useEffect, useRef, useState } from 'react';
import { client } from '../../api/client';
import { isPassing } from '../../api/errors';
import type { Me } from '../../api/session';
import { unwrap } from '../../kit/form';

const TOKEN = /^#token=(.+)$/;

interface SignInLink {
  isOpening: boolean;
  /** The API's error; null without one. */
  error: unknown;
  /** Posts the same token again, if the service could not be reached. */
  retry: (() => void) | null;
}

/** Signs in with the token in the URL, if there is one, and removes it from the URL at once. */
export function useSignInLink(onSignedIn: (user: Me) => void): SignInLink {
  const [isOpening, setOpening] = useState(() => TOKEN.test(location.hash));
  const [failure, setFailure] = useState<{ error: unknown; token: string } | null>(null);
  const enter = useRef(onSignedIn);
  useEffect(() => {
    enter.current = onSignedIn;
  });

  const open = useCallback((token: string) => {
    unwrap(client.POST('/api/v1/console/sessions/by-link', { body: { token } }))
      .then((user) => enter.current(user))
      .catch((error: unknown) => {
        setFailure({ error, token });
        setOpening(false);
      });
  }, []);
  const retry = (token: string) => {
    setOpening(true);
    setFailure(null);
    open(token);
  };

  useEffect(() => {
    const token = takeToken();
    if (token !== null) open(token);
  }, [open]);

  return {
    isOpening,
    error: failure?.error ?? null,
    retry: failure && isPassing(failure.error) ? () => retry(failure.token) : null,
  };
}

/** Takes the token out of the URL; a second call finds none, so that it is posted once and stays in no history. */
function takeToken(): string | null {
  const token = TOKEN.exec(location.hash)?.[1] ?? null;
  if (token !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}

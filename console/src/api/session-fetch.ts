import { repeatKey } from './repeat-key';
import { me, serviceAway, signedInAgain } from './session';

/** The service, or the way to it, does not answer. */
export class ServiceAwayError extends Error {
  override readonly name = 'ServiceAwayError';
}

/** Answers of a proxy, or of the service, that pass. */
const AWAY = [502, 503, 504];

/**
 * Sends a request of the typed client. Paths of the document of the organization (`/urls`) become those of the signed-in
 * user's organization; a call that a session's end refused is sent again after sign-in.
 */
export async function sessionFetch(input: Request): Promise<Response> {
  const request = await repeatKey.add(addressed(input));
  const again = request.clone();
  const response = await send(request);
  if (response.status !== 401 || me.get() === null) return response;
  await signedInAgain();
  return send(again);
}

function addressed(request: Request): Request {
  const url = new URL(request.url);
  if (url.pathname.startsWith('/api/')) return request;
  return new Request(organizationUrl(url.pathname + url.search), request);
}

/** The address of a path of the signed-in user's organization. */
export function organizationUrl(path: string): string {
  const id = me.get()?.organizationId ?? 0;
  return `${location.origin}/api/v1/console/organizations/${id}${path}`;
}

async function send(request: Request): Promise<Response> {
  const forget = repeatKey.of(request);
  try {
    const response = await fetch(request);
    serviceAway.set(AWAY.includes(response.status));
    if (!serviceAway.get()) forget();
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    serviceAway.set(true);
    throw new ServiceAwayError();
  }
}

import { type Call, repeatKeys } from './repeat-keys';
import { me, serviceAway, signedInAgain } from './session';
import { ifMatch, rememberState } from './states';

/** The service, or a proxy on the way to it, does not respond. */
export class ServiceAwayError extends Error {
  override readonly name = 'ServiceAwayError';
}

/** Statuses, by a proxy or the service, of temporary outages. */
const AWAY = [502, 503, 504];

/**
 * Sends a request of the typed client. Organization paths (`/urls`) become those of the signed-in user's organization.
 * A request that fails because the session has ended is repeated after sign-in.
 */
export async function sessionFetch(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  // Read before the first await, because the caller's `fromStates` is synchronous.
  const etag = ifMatch(request.method, pathname);
  const call = await read(request);
  if (etag !== undefined) call.headers.set('If-Match', etag);
  await repeatKeys.add(call);
  let response = await send(call);
  if (response.status === 401 && me.get() !== null) {
    await signedInAgain();
    response = await send(call);
  }
  rememberState(request.method, pathname, response);
  return response;
}

/** Splits a request into URL and options, because a Request with a body can be sent only once. */
async function read(request: Request): Promise<Call> {
  const { method, headers, signal } = request;
  const { pathname, search } = new URL(request.url);
  const url = pathname.startsWith('/api/') ? request.url : organizationUrl(pathname + search);
  const body = method === 'GET' || method === 'HEAD' ? null : await request.blob();
  return { url, method, headers: new Headers(headers), body: body?.size ? body : null, signal };
}

/** The URL of a path of the signed-in user's organization. */
export function organizationUrl(path: string): string {
  const id = me.get()?.organizationId ?? 0;
  // The organization itself is `/`, but paths of the API do not end with a slash.
  return `${location.origin}/api/v1/console/organizations/${id}${path.replace(/^\/(?=\?|$)/, '')}`;
}

async function send(call: Call): Promise<Response> {
  try {
    const response = await fetch(call.url, call);
    serviceAway.set(AWAY.includes(response.status));
    if (!serviceAway.get()) repeatKeys.forget(call);
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    serviceAway.set(true);
    throw new ServiceAwayError();
  }
}

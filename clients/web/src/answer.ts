/** The fields of a response body by which its sender is recognized. */
export interface Answer {
  status?: unknown;
  code?: unknown;
  message?: unknown;
  error?: unknown;
  success?: unknown;
  sessionId?: unknown;
  appId?: unknown;
}

/**
 * Whether the response is from Waypost, or from a proxy as described in the README. A login page, a firewall or another
 * API at the same URL may respond with any status, which says nothing about the call.
 */
export function isOwn(status: number, answer: Answer): boolean {
  const { code, message, error, success, sessionId } = answer;
  if (status < 400) return success === true || typeof sessionId === 'string';
  // The response about a wrong pair of headers has no code.
  if (status === 401 && String(error).includes('X-Mobile-App-API-Key')) return true;
  // Waypost has no such path, so apiUrl or the proxy's url is wrong.
  if (code === 'NOT_FOUND' && message === 'Resource not found') return false;
  if (typeof code === 'string') return answer.status === status;
  // Neither has the response about a missing contact.
  return success === false && message === 'Contact not found';
}

/**
 * Whether nobody has confirmed that the member is logged in: neither a signature nor the proxy, which may omit the code.
 */
export function isNotMember(status: number, { code, message, error }: Answer): boolean {
  if (status === 401) return code === 'IDENTITY_SIGNATURE_REQUIRED';
  const isSaid = typeof (message ?? error) === 'string';
  return status === 403 && isSaid && (code === undefined || code === 'NOT_THE_MEMBER');
}

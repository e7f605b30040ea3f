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
  const { code, message, success, sessionId } = answer;
  if (status < 400) return success === true || typeof sessionId === 'string';
  // Waypost has no such path, so the proxy's URL is wrong.
  if (code === 'NOT_FOUND' && message === 'Resource not found') return false;
  if (typeof code === 'string') return answer.status === status;
  // Only the response about a missing contact has no code.
  return success === false && message === 'Contact not found';
}

/** Whether a proxy refuses because the member is not logged in; custom proxies may omit the code. */
export function isNotMember(status: number, { code, message, error }: Answer): boolean {
  const isSaid = typeof (message ?? error) === 'string';
  return status === 403 && isSaid && (code === undefined || code === 'NOT_THE_MEMBER');
}

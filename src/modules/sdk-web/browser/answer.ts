/** A body as far as it tells who has answered. */
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
 * Whether Waypost has answered, or a proxy as in the README. A login page, a firewall or another API at the same
 * address may answer with any status, and says nothing about the call.
 */
export function isOwn(status: number, answer: Answer): boolean {
  const { code, message, success, sessionId } = answer;
  if (status < 400) return success === true || typeof sessionId === 'string';
  // A path that Waypost does not have: the proxy calls a wrong address.
  if (code === 'NOT_FOUND' && message === 'Resource not found') return false;
  if (typeof code === 'string') return answer.status === status;
  // Only members who are no contacts are answered without a code.
  return success === false && message === 'Contact not found';
}

/** What a proxy says of a member who is not logged in; proxies of one's own need not say it with a code. */
export function isNotMember(status: number, { code, message, error }: Answer): boolean {
  const isSaid = typeof (message ?? error) === 'string';
  return status === 403 && isSaid && (code === undefined || code === 'NOT_THE_MEMBER');
}

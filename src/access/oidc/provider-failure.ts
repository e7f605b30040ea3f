import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import type { DomainError } from '../../common/errors/domain-error';
import { OidcProviderUnavailable, OidcRefused, OidcTokenInvalid } from './oidc.errors';

/** Codes of openid-client for answers that never came, or that no provider sends while it works. */
const AWAY = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];

/** What a failure of openid-client means for the person who signs in. */
export function toSignInError(error: unknown): DomainError {
  if (error instanceof AuthorizationResponseError) return new OidcRefused();
  if (error instanceof ResponseBodyError) {
    return error.status >= 500 ? new OidcProviderUnavailable() : new OidcRefused();
  }
  const isAnswer = error instanceof ClientError && !AWAY.includes(error.code ?? '');
  return isAnswer ? new OidcTokenInvalid() : new OidcProviderUnavailable();
}

/** What the log says of it: no tokens, and none of the claims of a person. */
export function reasonOf(error: unknown): string {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) return error.error;
  const texts: string[] = [];
  for (let cause = error; cause instanceof Error && texts.length < 3; cause = cause.cause) {
    texts.push(cause.message);
  }
  return texts.join(': ');
}

import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { SignInRefused } from './sign-in-refused';

/** Codes of openid-client that mean no response, or one that only a failing provider sends. */
const AWAY = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];

export function toRefusal(error: unknown): SignInRefused {
  if (error instanceof AuthorizationResponseError) return new SignInRefused('OIDC_REFUSED');
  if (error instanceof ResponseBodyError) {
    return error.status >= 500
      ? new SignInRefused('OIDC_PROVIDER_UNAVAILABLE')
      : new SignInRefused('OIDC_REFUSED');
  }
  const isAnswer = error instanceof ClientError && !AWAY.includes(error.code ?? '');
  return isAnswer ? new SignInRefused('OIDC_TOKEN_INVALID') : new SignInRefused('OIDC_PROVIDER_UNAVAILABLE');
}

/** The reason for the log, without tokens and personal claims. */
export function reasonOf(error: unknown): string {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) return error.error;
  const texts: string[] = [];
  for (let cause = error; cause instanceof Error && texts.length < 3; cause = cause.cause) {
    texts.push(cause.message);
  }
  return texts.join(': ');
}

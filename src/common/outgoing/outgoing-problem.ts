import { errors } from 'undici';
import { errorCode } from './dns';
import { OutgoingError, type OutgoingProblem } from './outgoing';

const TLS =
  /^(?:ERR_TLS|ERR_SSL|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/;

export function problemOf(error: unknown): OutgoingProblem {
  if (error instanceof OutgoingError) return error.problem;
  if (error instanceof errors.ConnectTimeoutError) return 'TIMEOUT';
  if (
    error instanceof errors.InvalidArgumentError ||
    error instanceof errors.NotSupportedError ||
    error instanceof errors.RequestContentLengthMismatchError
  ) {
    return 'INVALID_REQUEST';
  }
  if (TLS.test(errorCode(error))) return 'TLS_FAILED';
  const bad =
    error instanceof errors.HTTPParserError ||
    error instanceof errors.HeadersOverflowError ||
    error instanceof errors.ResponseContentLengthMismatchError;
  return bad ? 'BAD_ANSWER' : 'CONNECT_FAILED';
}

import { DomainError } from '../../../common/errors/domain-error';
import type { OutgoingProblem } from '../../../common/outgoing/outgoing';

/** Descriptions of failures, without the addresses in messages of network errors. */
const PROBLEMS: Readonly<Record<Exclude<OutgoingProblem, 'NOT_ALLOWED' | 'INVALID_URL'>, string>> = {
  INVALID_REQUEST: 'cannot be requested',
  HOST_NOT_FOUND: 'has a host name without an address',
  DNS_FAILED: 'has a host name that no name server could resolve',
  CONNECT_FAILED: 'leads to a server that cannot be reached',
  TLS_FAILED: 'leads to a server without a valid certificate',
  BAD_ANSWER: 'leads to a server that does not speak HTTP',
  TIMEOUT: 'leads to a server that did not answer in time',
  TOO_LARGE: 'leads to an answer that is too large',
  TOO_MANY_REDIRECTS: 'redirects too often',
};

export class DestinationUnreachable extends DomainError {
  constructor(message: string) {
    super(400, 'DESTINATION_UNREACHABLE', `url: ${message}`, { details: [{ field: 'url', message }] });
  }
}

/** The URL does not lead to an image of an accepted format. */
export class ImageNotUsable extends DomainError {
  constructor() {
    const message = 'must lead to a PNG, JPEG, WebP, GIF or ICO image';
    super(400, 'IMAGE_NOT_USABLE', `url: ${message}`, { details: [{ field: 'url', message }] });
  }
}

export function unreachable(problem: keyof typeof PROBLEMS): DestinationUnreachable {
  return new DestinationUnreachable(PROBLEMS[problem]);
}

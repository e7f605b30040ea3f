import { Injectable } from '@nestjs/common';
import { RateLimited } from '../../../access/access.errors';
import type { Caller } from '../../../access/caller';
import { RateLimitStorage } from '../../../access/rate-limits/rate-limit-storage';
import { DomainError } from '../../../common/errors/domain-error';
import { OutgoingClient } from '../../../common/outgoing/outgoing-client';
import type { OutgoingProblem } from '../../../common/outgoing/outgoing';
import { Config } from '../../../config/config';
import { type PagePreview, PageReader } from '../../tracked-links/open-graph/page-reader';
import { imageTypeOf, IMAGE_TYPES } from './image-type';

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

/** Pages and images that an organization may fetch per minute. */
const RATE = 300;
const MINUTE_MS = 60_000;

const MAX_IMAGE_BYTES = 2 * 1024 * 1024;
const IMAGE_TIMEOUT_MS = 5_000;
const MAX_REDIRECTS = 3;

const NOTHING: PagePreview = { title: null, description: null, image: null, siteName: null, icon: null };

export interface FetchedImage {
  type: string;
  bytes: Buffer;
}

/** Fetches previews of destinations for the console, with the client for outgoing calls. */
@Injectable()
export class DestinationPreviews {
  constructor(
    private readonly pages: PageReader,
    private readonly outgoing: OutgoingClient,
    private readonly limits: RateLimitStorage,
    private readonly config: Config,
  ) {}

  /** @throws DESTINATION_NOT_ALLOWED, DESTINATION_UNREACHABLE, RateLimited */
  async preview(caller: Caller, url: string): Promise<PagePreview> {
    if (!this.config.ogFetch) return NOTHING;
    await this.count(caller);
    const page = await this.pages.preview(url);
    if ('problem' in page) throw refusalOf(page.problem);
    return page;
  }

  /** @throws DESTINATION_NOT_ALLOWED, DESTINATION_UNREACHABLE, IMAGE_NOT_USABLE, RateLimited */
  async image(caller: Caller, url: string): Promise<FetchedImage> {
    if (!this.config.ogFetch) throw unreachable('is not read, because OG_FETCH is false');
    await this.count(caller);
    const answer = await this.outgoing.request({
      url,
      headers: { accept: IMAGE_TYPES.join(', ') },
      maxRedirects: MAX_REDIRECTS,
      timeoutMs: IMAGE_TIMEOUT_MS,
      maxBytes: MAX_IMAGE_BYTES,
    });
    if (!answer.ok) throw refusalOf(answer.problem);
    const type = answer.status === 200 ? imageTypeOf(answer.body) : null;
    if (type === null)
      throw DomainError.inField(
        'IMAGE_NOT_USABLE',
        'url',
        'must lead to a PNG, JPEG, WebP, GIF or ICO image',
      );
    return { type, bytes: answer.body };
  }

  private async count({ organizationId }: Caller): Promise<void> {
    const { isBlocked, timeToExpire } = await this.limits.increment(
      String(organizationId),
      MINUTE_MS,
      RATE,
      0,
      'previews',
    );
    if (isBlocked) throw new RateLimited(timeToExpire, 'Too many previews');
  }
}

function notAllowed(message: string): DomainError {
  return DomainError.inField('DESTINATION_NOT_ALLOWED', 'url', message);
}

function unreachable(message: string): DomainError {
  return DomainError.inField('DESTINATION_UNREACHABLE', 'url', message);
}

function refusalOf(problem: OutgoingProblem): DomainError {
  if (problem === 'NOT_ALLOWED') return notAllowed('must not point to a private address');
  if (problem === 'INVALID_URL') return notAllowed('must be an http or https URL');
  return unreachable(PROBLEMS[problem]);
}

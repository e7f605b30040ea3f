import { Injectable } from '@nestjs/common';
import { OutgoingClient } from '../../../common/outgoing/outgoing-client';
import type {
  OutgoingAnswer,
  OutgoingFailure,
  OutgoingProblem,
  OutgoingResult,
} from '../../../common/outgoing/outgoing';
import { describePage, type PageDescription } from './page-description';

/** A page's Open Graph values, truncated to the limits of the API. */
export interface OgValues {
  ogTitle: string | null;
  ogDescription: string | null;
  ogImageUrl: string | null;
}

/** A page's description of itself, truncated to the limits of the API; images are http(s) URLs. */
export type PagePreview = PageDescription;

const NOTHING: OgValues = { ogTitle: null, ogDescription: null, ogImageUrl: null };
const MAX_BYTES = 512 * 1024;
const TIMEOUT_MS = 5_000;
const MAX_REDIRECTS = 3;
const HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; WaypostBot/1.0; link preview)',
  accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
};
const HTML = /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

/** Transient problems, after which another attempt is made. */
const TRANSIENT: ReadonlySet<OutgoingProblem> = new Set([
  'DNS_FAILED',
  'CONNECT_FAILED',
  'TIMEOUT',
  'BAD_ANSWER',
]);

/** Fetches destination pages with OutgoingClient, which blocks private addresses. */
@Injectable()
export class PageReader {
  constructor(private readonly outgoing: OutgoingClient) {}

  /** @returns the page's description, with nulls if it is not an HTML page; the failure if there is no response */
  async preview(url: string): Promise<PagePreview | OutgoingFailure> {
    const answer = await this.request(url);
    if (!answer.ok) return answer;
    const page = descriptionIn(answer);
    return {
      title: shortened(page?.title ?? null, 200),
      description: shortened(page?.description ?? null, 500),
      image: usable(page?.image ?? null, /^https?:/),
      siteName: shortened(page?.siteName ?? null, 200),
      icon: usable(page?.icon ?? null, /^https?:/),
    };
  }

  /** @returns the page's values, empty if it is not an HTML page; null after a transient failure */
  async read(url: string): Promise<OgValues | null> {
    const answer = await this.request(url);
    if (!answer.ok) return TRANSIENT.has(answer.problem) ? null : NOTHING;
    if (answer.status >= 500 || answer.status === 429 || answer.status === 408) return null;
    const page = descriptionIn(answer);
    if (!page) return NOTHING;
    const { title, description, image } = page;
    return {
      ogTitle: shortened(title, 200),
      ogDescription: shortened(description, 500),
      ogImageUrl: usable(image, /^https:/),
    };
  }

  private request(url: string): Promise<OutgoingResult> {
    return this.outgoing.request({
      url,
      headers: HEADERS,
      maxRedirects: MAX_REDIRECTS,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      beyondMaxBytes: 'cut',
    });
  }
}

/** Null if it is not an HTML page. */
function descriptionIn({ status, headers, body, url }: OutgoingAnswer): PageDescription | null {
  const contentType = String(headers['content-type'] ?? '');
  // Compressed content, which the request did not accept, is treated as binary.
  if (status !== 200 || !HTML.test(contentType) || headers['content-encoding']) return null;
  return describePage(body, contentType, url);
}

function usable(address: string | null, schemes: RegExp): string | null {
  return address !== null && schemes.test(address) && address.length <= 1_000 ? address : null;
}

/** @param max in code points, like the API's limits */
function shortened(text: string | null, max: number): string | null {
  const points = Array.from(text?.slice(0, 4 * max) ?? '');
  return points.length > max
    ? `${points
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
    : text;
}

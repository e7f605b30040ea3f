import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from 'proxy-addr';
import { decoded } from '../../common/http/query-string';
import { normalizeIp, trustOf } from '../../access/client-ip';
import { cut } from '../../common/sanitize-text';
import { textProblem } from '../../common/validation/atom';
import type { Place } from '../clicks/visitor-facts';
import { isCode } from '../domains/codes';
import { queryParts, queryValue } from '../domains/destinations/query';
import type { TracedAnswer } from './decision';
import type { ShortDomain } from './hosts';

type HeaderName =
  | 'host'
  | 'user-agent'
  | 'referer'
  | 'purpose'
  | 'sec-purpose'
  | 'x-forwarded-for'
  | 'cookie'
  | 'accept-language';

export type RequestHead = Pick<IncomingMessage, 'url'> & {
  socket: Pick<Socket, 'remoteAddress'>;
  headers: { [name in HeaderName]?: IncomingHttpHeaders[name] };
  /** Reads a header field that is not in `headers`, because few redirects need it. */
  rareHeader?(name: 'accept-language'): string | undefined;
  /** Place of a traced request's visitor; otherwise it is determined by the address. */
  place?: Place;
  /** Time of a traced request in milliseconds since the epoch; otherwise it is now. */
  at?: number;
};

export interface RedirectRequest {
  request: RequestHead;
  /** Whether it is a HEAD request, which gets the headers of a GET and is never counted. */
  head: boolean;
  /** Raw query of the request, without the question mark. */
  query: string;
  /** The tracker in `/c/<alias>/<trackerAlias>`; null for links. */
  tracker: string | null;
}

export interface DomainRequest extends RedirectRequest {
  domain: ShortDomain;
  /** Called with the kind of the response, for a traced request. */
  traced?: (answer: TracedAnswer) => void;
}

/** Whether it counts as a visit. HEAD requests and prefetches do not, because nobody has clicked. */
export function isVisit({ head, request: { headers } }: RedirectRequest): boolean {
  if (head) return false;
  const purpose = headers['sec-purpose'] ?? headers.purpose;
  return typeof purpose !== 'string' || !purpose.toLowerCase().includes('prefetch');
}

/** Creates a function that returns the client's IP address, from the forwarding headers that TRUST_PROXY trusts. */
export function clientAddressReader(
  trustProxy: number | readonly string[],
): (request: RequestHead) => string {
  if (trustProxy === 0) return (request) => normalizeIp(request.socket.remoteAddress);
  const trust = trustOf(trustProxy);
  // proxyAddr only uses the headers and the socket.
  return (request) => normalizeIp(proxyAddr(request as IncomingMessage, trust));
}

/** Creates a function that tells whether the client used HTTPS, to this server or to a trusted proxy. */
export function secureReader(trustProxy: number | readonly string[]): (request: IncomingMessage) => boolean {
  const trust = trustOf(trustProxy);
  return ({ headers, socket }) => {
    if ('encrypted' in socket) return true;
    // With several proxies, the first value is about the visitor.
    const [protocol = ''] = headers['x-forwarded-proto']?.toString().split(',', 1) ?? [];
    return protocol.trim().toLowerCase() === 'https' && trust(socket.remoteAddress ?? '', 0);
  };
}

/** A parsed path of a short domain (docs/concepts/redirects.md#paths). */
export type ShortPath =
  | {
      kind: 'link';
      code: string;
      /** Namespace of an app, in `/<appPath>/<code>`. */
      appPath: string | null;
    }
  | {
      kind: 'campaign';
      alias: string;
      /** Namespace of an app, in `/<appPath>/c/<alias>`. */
      appPath: string | null;
      /** The tracker in `/c/<alias>/<trackerAlias>`; null if there is none, or it is invalid or too long. */
      tracker: string | null;
    };

/** Nearly all codes; those that imports keep have other characters. */
const LINK_PATH = /^\/(?:([A-Za-z0-9_-]{1,50})\/)?([A-Za-z0-9_-]{1,50})\/?$/;
const LEGACY_LINK_PATH = /^\/(?:([A-Za-z0-9_-]{1,50})\/)?([^/]+)\/?$/;
const CAMPAIGN_PATH = /^(?:\/([A-Za-z0-9_-]{1,50}))?\/c\/([^/]+)(?:\/([^/]+))?\/?$/;
const MAX_TRACKER = 100;
const MAX_CUSTOM_ID = 100;

/** Splits a request URL into path and query, the latter without the question mark. */
export function splitPath(url: string): { path: string; query: string } {
  const mark = url.indexOf('?');
  return mark === -1 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

/** Parses the path of a link or campaign, ignoring a trailing slash; null for other paths. */
export function parseShortPath(path: string): ShortPath | null {
  return parse(path) ?? (path.includes('%') ? parse(decoded(path)) : null) ?? parseLegacy(path);
}

/**
 * The customId of a campaign's visitor: the first `cid` in the query, truncated to 100 characters. Null if it is empty
 * or invalid text.
 */
export function customIdOf(query: string): string | null {
  if (!query.includes('cid')) return null;
  const value = queryValue(queryParts(query), 'cid');
  return value === null ? null : trackingParameter(cut(value, MAX_CUSTOM_ID), MAX_CUSTOM_ID);
}

function parse(path: string): ShortPath | null {
  if (path.includes('/c/')) {
    const [, appPath = null, text = '', tracker] = CAMPAIGN_PATH.exec(path) ?? [];
    const alias = decoded(text);
    return isCode(alias) ? { kind: 'campaign', alias, appPath, tracker: trackerOf(tracker) } : null;
  }
  const [, appPath = null, code] = LINK_PATH.exec(path) ?? [];
  return code ? { kind: 'link', code, appPath } : null;
}

function parseLegacy(path: string): ShortPath | null {
  const [, appPath = null, segment = ''] = LEGACY_LINK_PATH.exec(path) ?? [];
  const code = decoded(segment);
  return isCode(code) ? { kind: 'link', code, appPath } : null;
}

/** Accepts any text, because marketers choose trackers freely; drops invalid or too long ones, but the click counts. */
function trackerOf(text: string | undefined): string | null {
  return text === undefined ? null : trackingParameter(decoded(text), MAX_TRACKER);
}

/** A value in the visitor's URL; null if it is empty, too long or invalid text. */
function trackingParameter(text: string, maxLength: number): string | null {
  if (text === '' || textProblem(text) !== null) return null;
  // There are never more code points than UTF-16 units, so short texts need no splitting.
  return text.length <= maxLength || Array.from(text).length <= maxLength ? text : null;
}

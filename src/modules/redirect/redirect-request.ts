import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from 'proxy-addr';
import { normalizeIp } from '../../access/client-ip';
import { textProblem } from '../../common/validation/atom';
import { queryParts, queryValue } from '../domains/destinations/query';
import type { ShortDomain } from './hosts';

type HeaderName =
  'host' | 'user-agent' | 'referer' | 'purpose' | 'sec-purpose' | 'x-forwarded-for' | 'cookie';

/** The part of a request that redirects read. */
export type RequestHead = Pick<IncomingMessage, 'url'> & {
  socket: Pick<Socket, 'remoteAddress'>;
  headers: { [name in HeaderName]?: IncomingHttpHeaders[name] };
};

/** One request for a link or campaign, as the listener has read it. */
export interface RedirectRequest {
  request: RequestHead;
  /** HEAD: answered like GET, without a body, and never counted. */
  head: boolean;
  /** Raw query of the request, without the question mark. */
  query: string;
  /** Of `/c/<alias>/<trackerAlias>`; null for links. */
  tracker: string | null;
}

/** The same, where it has come in. */
export interface DomainRequest extends RedirectRequest {
  domain: ShortDomain;
}

/** Whether it is a visit: HEAD is not, nor is a browser that fetches ahead, as nobody has clicked yet. */
export function isVisit({ head, request: { headers } }: RedirectRequest): boolean {
  if (head) return false;
  const purpose = headers['sec-purpose'] ?? headers.purpose;
  return typeof purpose !== 'string' || !purpose.toLowerCase().includes('prefetch');
}

/** Reads the client's address as far as TRUST_PROXY allows. */
export function clientAddressReader(
  trustProxy: number | readonly string[],
): (request: RequestHead) => string {
  if (trustProxy === 0) return (request) => normalizeIp(request.socket.remoteAddress);
  const trust =
    typeof trustProxy === 'number'
      ? (_address: string, hop: number) => hop < trustProxy
      : proxyAddr.compile([...trustProxy]);
  // It reads the header and the socket, and nothing else.
  return (request) => normalizeIp(proxyAddr(request as IncomingMessage, trust));
}

/** Tells whether the client came by https, to us or to a proxy that TRUST_PROXY believes. */
export function secureReader(trustProxy: number | readonly string[]): (request: IncomingMessage) => boolean {
  const trust = typeof trustProxy === 'number' ? () => trustProxy > 0 : proxyAddr.compile([...trustProxy]);
  return ({ headers, socket }) => {
    if ('encrypted' in socket) return true;
    const said = headers['x-forwarded-proto'];
    return said?.toString().toLowerCase() === 'https' && trust(socket.remoteAddress ?? '', 0);
  };
}

/** What a path of a short domain names (docs/concepts/redirects.md#paths). */
export type ShortPath =
  | {
      kind: 'link';
      code: string;
      /** The namespace of an app, for `/<appPath>/<code>`. */
      appPath: string | null;
    }
  | {
      kind: 'campaign';
      alias: string;
      /** The namespace of an app, for `/<appPath>/c/<alias>`. */
      appPath: string | null;
      /** For `/c/<alias>/<trackerAlias>`; null also where it is nothing that can be counted. */
      tracker: string | null;
    };

/** The letters of codes, aliases and app paths: what holds any other can't exist, and is not looked for. */
const LINK_PATH = /^\/(?:([A-Za-z0-9_-]{1,50})\/)?([A-Za-z0-9_-]{1,50})\/?$/;
const ALIAS = /^[A-Za-z0-9_-]{1,50}$/;
const CAMPAIGN_PATH = /^(?:\/([A-Za-z0-9_-]{1,50}))?\/c\/([^/]+)(?:\/([^/]+))?\/?$/;
const MAX_TRACKER = 100;
const MAX_CUSTOM_ID = 100;

/** The path of a request's tracked link, and its query without the question mark. */
export function splitPath(url: string): { path: string; query: string } {
  const mark = url.indexOf('?');
  return mark === -1 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

/** Reads the paths of links and campaigns; null for every other. A slash at the end does not count. */
export function parseShortPath(path: string): ShortPath | null {
  return parse(path) ?? (path.includes('%') ? parse(decoded(path)) : null);
}

/**
 * The customId of a campaign's visitor: the first `cid` of the query, or null. A value that is empty, too long or not
 * valid text identifies nobody, and a truncated one might identify somebody else.
 */
export function customIdOf(query: string): string | null {
  if (!query.includes('cid')) return null;
  const value = queryValue(queryParts(query), 'cid');
  return value === null ? null : trackingParameter(value, MAX_CUSTOM_ID);
}

function parse(path: string): ShortPath | null {
  if (path.includes('/c/')) {
    const [, appPath = null, text = '', tracker] = CAMPAIGN_PATH.exec(path) ?? [];
    const alias = decoded(text);
    return ALIAS.test(alias) ? { kind: 'campaign', alias, appPath, tracker: trackerOf(tracker) } : null;
  }
  const [, appPath = null, code] = LINK_PATH.exec(path) ?? [];
  return code ? { kind: 'link', code, appPath } : null;
}

/**
 * Of any form, as marketers make them up: a visitor gets where the link leads, counted without one that is too long.
 */
function trackerOf(text: string | undefined): string | null {
  return text === undefined ? null : trackingParameter(decoded(text), MAX_TRACKER);
}

/** A value from a visitor's address; null when it is empty, too long, or not valid text. */
function trackingParameter(text: string, maxLength: number): string | null {
  if (text === '' || textProblem(text) !== null) return null;
  // Code points never outnumber UTF-16 units, so short texts need no splitting.
  return text.length <= maxLength || Array.from(text).length <= maxLength ? text : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config';
import { DomainCache, type KnownDomain } from '../domains/domain-cache';
import { DEFAULT_DOMAIN } from '../tracked-links/code-domains';

/**
 * The host name in a Host header, in lower case, without port and trailing dot (docs/concepts/redirects.md#hosts).
 * @returns an empty string if there is none
 */
export function hostName(header: string | undefined): string {
  if (!header) return '';
  const end = header.startsWith('[') ? header.indexOf(']') + 1 : header.indexOf(':');
  const name = (end > 0 ? header.slice(0, end) : header).toLowerCase();
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

const MAX_KNOWN = 10_000;
/** Length of a name of 253 characters, a trailing dot and a port. */
const MAX_HEADER = 260;

/** Caches parsed Host headers, of which a server receives only few. */
export class HostNames {
  private readonly names = new Map<string, string>();

  /** @returns an empty string for a header longer than any host name, too */
  of(header: string | undefined): string {
    if (header === undefined) return '';
    const known = this.names.get(header);
    if (known !== undefined) return known;
    if (header.length > MAX_HEADER) return '';
    if (this.names.size === MAX_KNOWN) this.names.clear();
    const name = hostName(header);
    this.names.set(header, name);
    return name;
  }
}

/** The domain of a request: a custom domain, or the default one, which has no organization and no activation. */
export type ShortDomain = Omit<KnownDomain, 'organizationId' | 'activationToken'> & {
  readonly organizationId: number | null;
  readonly activationToken: string | null;
};

/** Paths of the API on a host that serves both API and links; `u` is for opt-out links. */
const API_PATH = /^\/(?:api|console|health|metrics|internal|sdk|u)(?:[/?]|$)/;

/** Routes hosts to the API or to a short domain (docs/concepts/redirects.md#hosts). */
@Injectable()
export class Hosts {
  private readonly names = new HostNames();
  private readonly apiHost: string;
  private readonly shortHost: string;
  private readonly defaultDomain: ShortDomain;

  constructor(
    private readonly domains: DomainCache,
    { baseUrl, shortUrlBase, shortDomain }: Config,
  ) {
    this.apiHost = hostName(new URL(baseUrl).host);
    this.shortHost = hostName(new URL(shortUrlBase).host);
    const own = { ...DEFAULT_DOMAIN, organizationId: null, activationToken: null, disabled: false };
    this.defaultDomain = { ...own, ...shortDomain };
  }

  /** The host name in a `Host` header; empty without one. */
  nameOf(header: string | undefined): string {
    return this.names.of(header);
  }

  isOfApi(host: string, url: string): boolean {
    if (host === this.shortHost) return API_PATH.test(url);
    return host === this.apiHost;
  }

  /** The cached short domain of a host: null if it is known not to exist, undefined if `find` must be called. */
  peek(host: string): ShortDomain | null | undefined {
    return host === this.shortHost ? this.defaultDomain : this.domains.peek(host);
  }

  /** @throws if no store is available and nothing is cached for the host */
  find(host: string): Promise<ShortDomain | null> {
    return this.domains.find(host);
  }
}

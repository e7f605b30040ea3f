import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { DomainCache, type KnownDomain } from '../domains/domain-cache';
import { DEFAULT_DOMAIN } from '../tracked-links/tracked-link.entity';

/**
 * The host name that a Host header means: case, port and a trailing dot do not count
 * (docs/concepts/redirects.md#hosts).
 * @returns an empty string when there is none
 */
export function hostName(header: string | undefined): string {
  if (!header) return '';
  const end = header.startsWith('[') ? header.indexOf(']') + 1 : header.indexOf(':');
  const name = (end > 0 ? header.slice(0, end) : header).toLowerCase();
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

const MAX_KNOWN = 10_000;
/** A name of 253 characters, a trailing dot, and a port. */
const MAX_HEADER = 260;

/** Host names of headers: a server hears the same few headers all day. */
export class HostNames {
  private readonly names = new Map<string, string>();

  /** @returns an empty string also for what is longer than any name */
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

/** Where a request has come in: a custom domain, or the default one, which is nobody's own and never activated. */
export type ShortDomain = Omit<KnownDomain, 'organizationId' | 'activationToken'> & {
  readonly organizationId: number | null;
  readonly activationToken: string | null;
};

/** First segments of paths that are the API's, on whichever host serves both; the pages of opt-out links are `u`. */
const API_PATH = /^\/(?:api|health|metrics|internal|sdk|u)(?:[/?]|$)/;

/** Tells the hosts of short links from the API's (docs/concepts/redirects.md#hosts). */
@Injectable()
export class Hosts {
  private readonly names = new HostNames();
  private readonly apiHost: string;
  private readonly shortHost: string;
  private readonly defaultDomain: ShortDomain;

  constructor(
    private readonly domains: DomainCache,
    @Inject(CONFIG) { baseUrl, shortUrlBase, shortDomain }: Config,
  ) {
    this.apiHost = hostName(new URL(baseUrl).host);
    this.shortHost = hostName(new URL(shortUrlBase).host);
    const own = { id: DEFAULT_DOMAIN, organizationId: null, activationToken: null, disabled: false };
    this.defaultDomain = { ...own, ...shortDomain };
  }

  /** The host name of a `Host` header; empty without one. */
  nameOf(header: string | undefined): string {
    return this.names.of(header);
  }

  isOfApi(host: string, url: string): boolean {
    if (host === this.shortHost) return API_PATH.test(url);
    return host === this.apiHost;
  }

  /** The short domain of a host when memory has it, null when there is none, undefined when `find` must be asked. */
  peek(host: string): ShortDomain | null | undefined {
    return host === this.shortHost ? this.defaultDomain : this.domains.peek(host);
  }

  /** @throws when no store can be asked and nothing is known of the host */
  find(host: string): Promise<ShortDomain | null> {
    return this.domains.find(host);
  }
}

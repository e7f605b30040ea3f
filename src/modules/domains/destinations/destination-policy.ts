import { Inject, Injectable } from '@nestjs/common';
import { Config } from '../../../config/config';
import { DESTINATION_CHECKERS, type DestinationChecker } from './destination-checker';
import { comparableHost, hostProblem } from './destination-host';
import { DomainCache } from '../domain-cache';

/**
 * Rules for destinations of links and campaigns (docs/concepts/links.md#destinations). The field has
 * already been checked for its scheme.
 */
@Injectable()
export class DestinationPolicy {
  private readonly ownHosts: ReadonlySet<string>;

  constructor(
    config: Config,
    private readonly domains: DomainCache,
    @Inject(DESTINATION_CHECKERS) private readonly checkers: readonly DestinationChecker[],
  ) {
    this.ownHosts = new Set(
      [config.baseUrl, config.shortUrlBase].map((origin) => comparableHost(new URL(origin))),
    );
  }

  /** Why a URL is not allowed, worded to follow the field's name; null if it is. */
  async problemWith(text: string): Promise<string | null> {
    return formProblem(text) ?? (await this.problemOf(new URL(text)));
  }

  private async problemOf(url: URL): Promise<string | null> {
    const host = comparableHost(url);
    const local = hostProblem(host);
    if (local) return local;
    if (this.ownHosts.has(host) || (await this.domains.find(host))) {
      return 'must not point to a short domain of this service';
    }
    for (const checker of this.checkers) {
      const problem = await checker.problemOf(url);
      if (problem) return problem;
    }
    return null;
  }
}

/** Rejects forms that the URL parser accepts but that a reader may mistake for another host. */
function formProblem(text: string): string | null {
  const [scheme = ''] = /^https?:\/\//i.exec(text) ?? [];
  const rest = text.slice(scheme.length);
  if (!/^[^/?#]/.test(rest)) return `must name a host after ${scheme.toLowerCase()}`;
  if (/^[^/?#]*@/.test(rest)) return 'must not have a user name or password';
  if (Array.from(text).some((character) => character < ' ' || character === '\u007f')) {
    return 'must not contain control characters';
  }
  return null;
}

import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { DESTINATION_CHECKERS, type DestinationChecker } from './destination-checker';
import { comparableHost, hostProblem } from './destination-host';
import { DestinationNotAllowed } from './domains.errors';
import { DomainDirectory } from './domain-directory';

/** Where links and campaigns may lead (4-decisions §5). That it is a URL of https is the atom's check. */
@Injectable()
export class DestinationPolicy {
  private readonly ownHosts: ReadonlySet<string>;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly domains: DomainDirectory,
    @Inject(DESTINATION_CHECKERS) private readonly checkers: readonly DestinationChecker[],
  ) {
    this.ownHosts = new Set(
      [config.baseUrl, config.shortUrlBase].map((origin) => comparableHost(new URL(origin))),
    );
  }

  /** @throws DestinationNotAllowed naming the field and the reason */
  async check(field: string, text: string): Promise<void> {
    const problem = formProblem(text) ?? (await this.problemOf(new URL(text)));
    if (problem) throw new DestinationNotAllowed(field, problem);
  }

  private async problemOf(url: URL): Promise<string | null> {
    const host = comparableHost(url);
    const local = hostProblem(host);
    if (local) return local;
    if (this.ownHosts.has(host) || (await this.domains.find(host))) {
      return 'must not lead to a short domain of this service';
    }
    for (const checker of this.checkers) {
      const problem = await checker.problemOf(url);
      if (problem) return problem;
    }
    return null;
  }
}

/** What a URL parser forgives and a reader of the address may take for another place. */
function formProblem(text: string): string | null {
  if (!/^https:\/\/[^/?#]/i.test(text)) return 'must name a host after https://';
  if (/^https:\/\/[^/?#]*@/i.test(text)) return 'must not have a user name or password';
  if (Array.from(text).some((character) => character < ' ' || character === '\u007f')) {
    return 'must not contain control characters';
  }
  return null;
}

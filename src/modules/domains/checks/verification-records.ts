import { Inject, Injectable } from '@nestjs/common';
import { withDeadline } from '../../../common/deadline';
import { dnsResolver, errorCode, isAbsence } from '../../../common/outgoing/dns';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { DomainNames } from '../domain-names';

const DNS_TIMEOUT_MS = 4_000;

/** The CNAME that proves a domain, as DNS knows it: name and value; null for a sub-domain of the short domain. */
export interface VerificationRecord {
  name: string;
  value: string;
}

/**
 * `FOUND` the CNAME leads to where it must; `MISSING` it does not, or its own name servers fail;
 * `NOT_ASKED` our name servers answer nothing at all, so that nothing is known.
 */
export type RecordState = 'FOUND' | 'MISSING' | 'NOT_ASKED';

/** The CNAME records that prove domains: what they must be, and what DNS says. */
@Injectable()
export class VerificationRecords {
  private readonly servers: readonly string[];
  private asking: Promise<boolean> | null = null;

  constructor(
    @Inject(CONFIG) { dnsServers }: Config,
    private readonly names: DomainNames,
  ) {
    this.servers = dnsServers;
  }

  of(domain: { domainName: string; verificationToken: string | null }): VerificationRecord | null {
    const { domainName, verificationToken } = domain;
    if (verificationToken === null) return null;
    return { name: `_waypost.${domainName}`, value: `${verificationToken}.verify.${this.names.shortHost}` };
  }

  async stateOf({ name, value }: VerificationRecord): Promise<RecordState> {
    const target = await this.target(name);
    if (target === null) return (await this.alive()) ? 'MISSING' : 'NOT_ASKED';
    return target === value ? 'FOUND' : 'MISSING';
  }

  /**
   * Whether our name servers answer at all, asked about a name of our own: a domain whose own servers are broken is
   * as good as gone, but when ours are, every domain looks like that.
   */
  alive(): Promise<boolean> {
    this.asking ??= this.target(`_waypost.${this.names.shortHost}`)
      .then((target) => target !== null)
      .finally(() => (this.asking = null));
    return this.asking;
  }

  /** Where the CNAME of a name leads, in lower case; empty when there is none, null when nobody answered. */
  private async target(name: string): Promise<string | null> {
    const resolver = dnsResolver(this.servers);
    try {
      const [target = ''] = await withDeadline(resolver.resolveCname(name), DNS_TIMEOUT_MS);
      return target.toLowerCase().replace(/\.$/, '');
    } catch (error) {
      return isAbsence(error) || errorCode(error) === 'EBADNAME' ? '' : null;
    } finally {
      resolver.cancel();
    }
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { withDeadline } from '../../../common/deadline';
import { dnsResolver, errorCode, isAbsence } from '../../../common/outgoing/dns';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { DomainNames } from '../domain-names';

const DNS_TIMEOUT_MS = 4_000;

/** Name and value of the CNAME that proves a domain; null for a subdomain of the short domain. */
export interface VerificationRecord {
  name: string;
  value: string;
}

/**
 * `FOUND`: the CNAME has the required value. `MISSING`: it has not, or the domain's name servers fail.
 * `UNKNOWN`: our own resolvers do not answer, so nothing is known.
 */
export type RecordState = 'FOUND' | 'MISSING' | 'UNKNOWN';

/** The CNAME records that prove domains, required and actual. */
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
    if (target === null) return (await this.alive()) ? 'MISSING' : 'UNKNOWN';
    return target === value ? 'FOUND' : 'MISSING';
  }

  /**
   * Whether our resolvers answer, tested with a name of our own. It distinguishes a domain with broken name
   * servers from broken resolvers, with which every domain would look broken.
   */
  alive(): Promise<boolean> {
    this.asking ??= this.target(`_waypost.${this.names.shortHost}`)
      .then((target) => target !== null)
      .finally(() => (this.asking = null));
    return this.asking;
  }

  /** Target of a name's CNAME, in lower case; empty if there is none, null if nobody answered. */
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

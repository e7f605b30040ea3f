import { Injectable } from '@nestjs/common';
import { withDeadline } from '../../../common/deadline';
import { dnsResolver, errorCode, isAbsence } from '../../../common/outgoing/dns';
import { sanitizeText } from '../../../common/sanitize-text';
import { Config } from '../../../config/config';
import { DomainNames } from '../domain-names';
import { isApex } from './apex';
import type { CheckProblem, DnsRecord } from './domain-check';

const DNS_TIMEOUT_MS = 4_000;

/** Name and value of the CNAME that verifies a domain; null for a subdomain of the short domain. */
export interface VerificationRecord {
  name: string;
  value: string;
}

/**
 * `FOUND`: the CNAME has the required value. `MISSING`: it does not, or the domain's name servers fail. `UNKNOWN`: our
 * own resolvers do not respond.
 */
export type RecordState = 'FOUND' | 'MISSING' | 'UNKNOWN';

interface LookUp {
  readonly state: RecordState;
  readonly problem: CheckProblem | null;
  readonly found: readonly DnsRecord[];
}

/** Maximum number of records shown, and of characters of each. */
const MAX_RECORDS = 10;
const MAX_VALUE = 255;

@Injectable()
export class VerificationRecords {
  private readonly servers: readonly string[];
  private asking: Promise<boolean> | null = null;

  constructor(
    { dnsServers }: Config,
    private readonly names: DomainNames,
  ) {
    this.servers = dnsServers;
  }

  of(domain: { domainName: string; verificationToken: string | null }): VerificationRecord | null {
    const { domainName, verificationToken } = domain;
    if (verificationToken === null) return null;
    return { name: `_waypost.${domainName}`, value: `${verificationToken}.verify.${this.names.shortHost}` };
  }

  /** The record that routes visitors of the domain to this service; an apex domain cannot have a CNAME. */
  trafficOf(domainName: string): DnsRecord {
    return { type: isApex(domainName) ? 'ALIAS' : 'CNAME', name: domainName, value: this.names.shortHost };
  }

  async lookUp({ name, value }: VerificationRecord): Promise<LookUp> {
    const targets = await this.targets(name);
    if (targets === null) {
      return (await this.alive())
        ? { state: 'MISSING', problem: 'NAME_SERVERS_FAILED', found: [] }
        : { state: 'UNKNOWN', problem: 'RESOLVERS_FAILED', found: [] };
    }
    const found = recordsOf('CNAME', name, targets);
    if (targets[0] === value) return { state: 'FOUND', problem: null, found };
    return { state: 'MISSING', problem: targets.length > 0 ? 'RECORD_WRONG' : 'RECORD_MISSING', found };
  }

  /** The records of a name that route visitors; empty if no server responds. */
  async traffic(name: string): Promise<DnsRecord[]> {
    const resolver = dnsResolver(this.servers);
    const ask = (answer: Promise<string[]>) => withDeadline(answer, DNS_TIMEOUT_MS).catch(() => []);
    const [cnames, v4, v6] = await Promise.all([
      ask(resolver.resolveCname(name)),
      ask(resolver.resolve4(name)),
      ask(resolver.resolve6(name)),
    ]);
    resolver.cancel();
    const found = [
      ...recordsOf('CNAME', name, cnames),
      ...recordsOf('A', name, v4),
      ...recordsOf('AAAA', name, v6),
    ];
    return found.slice(0, MAX_RECORDS);
  }

  /**
   * Whether our resolvers respond, tested with a name of our own. Without it, broken resolvers would look like broken
   * name servers of every domain.
   */
  alive(): Promise<boolean> {
    this.asking ??= this.targets(`_waypost.${this.names.shortHost}`)
      .then((targets) => targets !== null)
      .finally(() => (this.asking = null));
    return this.asking;
  }

  /** Targets of a name's CNAME, in lower case; null if no server responded. */
  private async targets(name: string): Promise<string[] | null> {
    const resolver = dnsResolver(this.servers);
    try {
      const targets = await withDeadline(resolver.resolveCname(name), DNS_TIMEOUT_MS);
      return targets.map((target) => target.toLowerCase().replace(/\.$/, ''));
    } catch (error) {
      return isAbsence(error) || errorCode(error) === 'EBADNAME' ? [] : null;
    } finally {
      resolver.cancel();
    }
  }
}

function recordsOf(type: DnsRecord['type'], name: string, values: readonly string[]): DnsRecord[] {
  return values.slice(0, MAX_RECORDS).map((value) => ({ type, name, value: sanitizeText(value, MAX_VALUE) }));
}

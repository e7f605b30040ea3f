import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { dnsResolver, isAbsence } from './dns';
import { OutgoingError } from './outgoing';
import { isPublicAddress } from './public-address';

/** Once the IPv4 addresses are there, those of IPv6 are waited for no longer than this (RFC 8305). */
const SECOND_FAMILY_MS = 50;
const MAX_ADDRESSES = 4;
const LOCALHOST = /(?:^|\.)localhost\.?$/i;

/** Finds the addresses of a host that may be called. */
export class HostAddresses {
  constructor(
    private readonly dnsServers: readonly string[],
    private readonly allowPrivate: boolean,
  ) {}

  /**
   * @param host a name, or an address in the usual notation without brackets
   * @returns at least one address, the first to be tried first; every one of them has been checked
   * @param call once it has been given up, the name servers are no longer asked
   * @throws OutgoingError
   */
  async of(host: string, call: AbortSignal): Promise<string[]> {
    const found = isIP(host) ? [host] : await this.resolve(host, call);
    const allowed = this.allowPrivate ? found : found.filter(isPublicAddress);
    if (allowed.length === 0) {
      throw new OutgoingError('NOT_ALLOWED', 'The host has private, local or reserved addresses only');
    }
    return allowed.slice(0, MAX_ADDRESSES);
  }

  private async resolve(host: string, call: AbortSignal): Promise<string[]> {
    if (LOCALHOST.test(host)) return ['127.0.0.1', '::1'];
    const resolver = dnsResolver(this.dnsServers);
    const cancel = () => resolver.cancel();
    call.addEventListener('abort', cancel);
    try {
      const ipv6 = answerOf(resolver.resolve6(host));
      const ipv4 = await answerOf(resolver.resolve4(host));
      const late: Answer = { addresses: [], error: null };
      const second = await (ipv4.addresses.length > 0
        ? Promise.race([ipv6, delay(SECOND_FAMILY_MS, late)])
        : ipv6);
      const addresses = [...ipv4.addresses, ...second.addresses];
      if (addresses.length > 0) return addresses;
      return await this.unresolved(host, [ipv4.error, second.error].every(isAbsence));
    } finally {
      call.removeEventListener('abort', cancel);
      cancel();
    }
  }

  /** On a developer's machine names may stand in a file. */
  private async unresolved(host: string, absent: boolean): Promise<string[]> {
    const local = this.allowPrivate ? await lookup(host, { all: true }).catch(() => []) : [];
    if (local.length > 0) return local.map(({ address }) => address);
    if (absent) throw new OutgoingError('HOST_NOT_FOUND', 'The host name has no address');
    throw new OutgoingError('DNS_FAILED', 'No name server could say where the host is');
  }
}

interface Answer {
  addresses: string[];
  error: unknown;
}

/** Never rejects, so that nobody need wait for it. */
async function answerOf(question: Promise<string[]>): Promise<Answer> {
  try {
    return { addresses: await question, error: null };
  } catch (error) {
    return { addresses: [], error };
  }
}

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { dnsResolver, isAbsence } from './dns';
import { OutgoingError } from './outgoing';
import { isPublicAddress } from './public-address';

/** How long to wait for IPv6 addresses once the IPv4 addresses are known (RFC 8305). */
const SECOND_FAMILY_MS = 50;
const MAX_ADDRESSES = 4;
const LOCALHOST = /(?:^|\.)localhost\.?$/i;

/** Resolves a host to addresses that may be called. */
export class HostAddresses {
  constructor(
    private readonly dnsServers: readonly string[],
    private readonly allowPrivate: boolean,
  ) {}

  /**
   * @param host a name, or an IP address without brackets
   * @param call stops further DNS queries when aborted
   * @returns at least one address, in order of preference, all of them checked
   * @throws OutgoingError
   */
  async of(host: string, call: AbortSignal): Promise<string[]> {
    const found = isIP(host) ? [host] : await this.resolve(host, call);
    const allowed = this.allowPrivate ? found : found.filter(isPublicAddress);
    if (allowed.length === 0) {
      throw new OutgoingError('NOT_ALLOWED', 'The host has only private, local or reserved addresses');
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

  /** Consults the hosts file, which developers use. */
  private async unresolved(host: string, absent: boolean): Promise<string[]> {
    const local = this.allowPrivate ? await lookup(host, { all: true }).catch(() => []) : [];
    if (local.length > 0) return local.map(({ address }) => address);
    if (absent) throw new OutgoingError('HOST_NOT_FOUND', 'The host name has no address');
    throw new OutgoingError('DNS_FAILED', 'No name server could resolve the host name');
  }
}

interface Answer {
  addresses: string[];
  error: unknown;
}

/** Turns a rejection into a value, so that the promise need not be awaited. */
async function answerOf(question: Promise<string[]>): Promise<Answer> {
  try {
    return { addresses: await question, error: null };
  } catch (error) {
    return { addresses: [], error };
  }
}

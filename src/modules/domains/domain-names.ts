import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../common/errors/errors';
import { asciiHost } from '../../common/host-name';
import { Config } from '../../config/config';
import { comparableHost } from './destinations/destination-host';
import { problemOfLabel } from './official-names';

const MAX_LENGTH = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Characters that are in no host name, though parsers accept or decode them: of ports, paths, wildcards, escapes. */
const FOREIGN = /[\s/?#@:%*[\]\\^|<>"`{}]|\p{Cc}/u;
export interface DomainName {
  /** Lower case, punycode, without a trailing dot. */
  name: string;
  /** Whether it is `<label>.<short domain>`, which belongs to the service and needs no verification. */
  platform: boolean;
}

@Injectable()
export class DomainNames {
  readonly shortHost: string;
  private readonly ownHosts: readonly string[];

  constructor({ baseUrl, shortUrlBase }: Config) {
    this.shortHost = comparableHost(new URL(shortUrlBase));
    this.ownHosts = [this.shortHost, comparableHost(new URL(baseUrl))];
  }

  /** @throws ValidationFailed naming `domainName` */
  parse(text: string): DomainName {
    const name = asciiName(text);
    const problem = name === null ? 'must be a domain name such as links.example.com' : this.problemOf(name);
    if (name === null || problem) throw ValidationFailed.field('domainName', problem ?? '');
    return { name, platform: this.isBelowShortHost(name) };
  }

  private problemOf(name: string): string | null {
    if (name.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters long, as punycode`;
    if (this.ownHosts.some((own) => own === name || own.endsWith(`.${name}`))) {
      return 'must be neither a host of this service nor a parent domain of one';
    }
    if (!this.isBelowShortHost(name)) return null;
    const label = name.slice(0, -this.shortHost.length - 1);
    if (label.includes('.')) return `must have a single label before .${this.shortHost}`;
    return problemOfLabel(label);
  }

  private isBelowShortHost(name: string): boolean {
    return name.endsWith(`.${this.shortHost}`);
  }
}

/** The name in ASCII, or null if it is invalid: an address, a single label, an invalid character. */
function asciiName(text: string): string | null {
  if (FOREIGN.test(text)) return null;
  const ascii = asciiHost(text)?.replace(/\.$/, '') ?? '';
  const labels = ascii.split('.');
  if (labels.length < 2 || isIP(ascii) !== 0 || !labels.every((label) => LABEL.test(label))) return null;
  // URL parsers take a host that ends in a number for an IPv4 address.
  return URL.parse(`http://${ascii}/`)?.hostname === ascii ? ascii : null;
}

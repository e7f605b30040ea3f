import { readFile, stat } from 'node:fs/promises';
import { Logger } from '@nestjs/common';
import { isUrl } from '../../../common/host-name';
import { InvalidConfiguration } from '../../../config/invalid-configuration';
import type { DestinationChecker } from './destination-checker';
import { comparableHost } from './destination-host';

/**
 * Hosts in the DESTINATION_DENY_LIST file, one per line: `example.com` and `*.example.com` both mean the domain and its
 * subdomains; `#` starts a comment. The file is reloaded when it changes; if it is unreadable or invalid, the last
 * valid list stays in use.
 */
export class DenyList implements DestinationChecker {
  private readonly logger = new Logger(DenyList.name);

  private constructor(
    private readonly file: string,
    private hosts: ReadonlySet<string>,
    private version: string,
  ) {}

  /** @throws InvalidConfiguration if the file cannot be read or has an invalid line */
  static async open(file: string): Promise<DenyList> {
    try {
      const version = await versionOf(file);
      return new DenyList(file, parseHosts(await readFile(file, 'utf8')), version);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new InvalidConfiguration(`DESTINATION_DENY_LIST: ${reason}`);
    }
  }

  async problemOf(url: URL): Promise<string | null> {
    await this.refresh();
    const labels = comparableHost(url).split('.');
    const denied = labels.some((_, i) => this.hosts.has(labels.slice(i).join('.')));
    return denied ? 'must not point to a host on the deny-list' : null;
  }

  private async refresh(): Promise<void> {
    const version = await versionOf(this.file).catch(() => 'missing');
    if (version === this.version) return;
    // Remembered even for an invalid file, so that it is logged once.
    this.version = version;
    try {
      this.hosts = parseHosts(await readFile(this.file, 'utf8'));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn(`DESTINATION_DENY_LIST: ${reason}; the last valid list stays in use`);
    }
  }
}

async function versionOf(file: string): Promise<string> {
  const { mtimeNs, size, ino } = await stat(file, { bigint: true });
  return [mtimeNs, size, ino].join('.');
}

/** @throws naming the invalid line */
function parseHosts(text: string): Set<string> {
  const hosts = new Set<string>();
  for (const [index, line] of text.split('\n').entries()) {
    const entry = line.replace(/#.*/, '').trim().replace(/^\*\./, '');
    if (entry === '') continue;
    const url = `https://${entry}/`;
    if (!isUrl(url) || /[/?#@:]/.test(entry)) throw new Error(`line ${index + 1} is not a host name`);
    hosts.add(comparableHost(new URL(url)));
  }
  return hosts;
}

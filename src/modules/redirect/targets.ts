import { Injectable } from '@nestjs/common';
import { CampaignDirectory } from '../campaigns/campaign-directory';
import { LinkDirectory, underAppPath } from '../links/link-directory';
import type { ShortPath } from './short-path';
import type { Target } from './target';

/** Finds what a path leads to, in memory if it can. */
@Injectable()
export class Targets {
  constructor(
    private readonly links: LinkDirectory,
    private readonly campaigns: CampaignDirectory,
  ) {}

  /** The link when the whole path is a code that memory knows: most requests, so it is all they pay for. */
  peekCode(domainId: number, code: string): Target | null | undefined {
    return this.links.peek(domainId, code);
  }

  /** The target when memory has it, null when it knows that there is none, undefined when `find` must be asked. */
  peek(domainId: number, path: ShortPath): Target | null | undefined {
    if (path.kind === 'campaign') return this.campaigns.peek(domainId, path.alias);
    const link = this.links.peek(domainId, path.code);
    return link && underAppPath(link, path.appPath);
  }

  /** @throws when no store can be asked and nothing is known of it */
  async find(domainId: number, path: ShortPath): Promise<Target | null> {
    if (path.kind === 'campaign') return this.campaigns.find(domainId, path.alias);
    return underAppPath(await this.links.find(domainId, path.code), path.appPath);
  }
}

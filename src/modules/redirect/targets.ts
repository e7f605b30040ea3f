import { Injectable } from '@nestjs/common';
import { CampaignDirectory } from '../campaigns/campaign-directory';
import { LinkDirectory, underAppPath } from '../links/link-directory';
import { parseShortPath, type ShortPath } from './short-path';
import type { Target } from './target';

/** The target of a path when memory has it, null when it knows that there is none, else what `find` wants. */
export type Located = { tracker: string | null } & (
  { target: Target | null } | { target: undefined; shortPath: ShortPath }
);

/** Finds what a path leads to, in memory if it can. */
@Injectable()
export class Targets {
  constructor(
    private readonly links: LinkDirectory,
    private readonly campaigns: CampaignDirectory,
  ) {}

  /** Reads a path, and looks in memory for its target. @returns null for a path that no link or campaign can have */
  locate(domainId: number, path: string): Located | null {
    // Most paths are a code that memory knows: that look-up is all they pay for.
    const known = this.links.peek(domainId, path.slice(1));
    if (known) return { target: known, tracker: null };
    const shortPath = parseShortPath(path);
    if (!shortPath) return null;
    const tracker = shortPath.kind === 'campaign' ? shortPath.tracker : null;
    const target = this.peek(domainId, shortPath);
    return target === undefined ? { target, tracker, shortPath } : { target, tracker };
  }

  /** @throws when no store can be asked and nothing is known of it */
  async find(domainId: number, path: ShortPath): Promise<Target | null> {
    if (path.kind === 'campaign') return this.campaigns.find(domainId, path.alias);
    return underAppPath(await this.links.find(domainId, path.code), path.appPath);
  }

  private peek(domainId: number, path: ShortPath): Target | null | undefined {
    if (path.kind === 'campaign') return this.campaigns.peek(domainId, path.alias);
    const link = this.links.peek(domainId, path.code);
    return link && underAppPath(link, path.appPath);
  }
}

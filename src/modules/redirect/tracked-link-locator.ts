import { Injectable } from '@nestjs/common';
import { DeletedOrganizations } from '../../access/organizations/deleted-organizations';
import { CampaignDirectory } from '../campaigns/campaign-cache';
import { LinkDirectory } from '../links/link-cache';
import { underAppPath } from '../tracked-links/cache/tracked-link-cache';
import { parseShortPath, type ShortPath } from './short-path';
import type { Target } from './tracked-link';

/** The target of a path when memory has it, null when it knows that there is none, else what `find` wants. */
export type Located = { tracker: string | null } & (
  { target: Target | null } | { target: undefined; shortPath: ShortPath }
);

/** Finds what a path leads to, in memory if it can. */
@Injectable()
export class TrackedLinkLocator {
  constructor(
    private readonly links: LinkDirectory,
    private readonly campaigns: CampaignDirectory,
    private readonly deleted: DeletedOrganizations,
  ) {}

  /** Reads a path, and looks in memory for its target. @returns null for a path that no link or campaign can have */
  locate(domainId: number, path: string): Located | null {
    // Most paths are a code that memory knows: that look-up is all they pay for.
    const known = this.links.peek(domainId, path.slice(1));
    if (known && this.deleted.peek(known.organizationId) === false) return { target: known, tracker: null };
    const shortPath = parseShortPath(path);
    if (!shortPath) return null;
    const tracker = shortPath.kind === 'campaign' ? shortPath.tracker : null;
    const target = this.peek(domainId, shortPath);
    return target === undefined ? { target, tracker, shortPath } : { target, tracker };
  }

  /** @throws when no store can be asked and nothing is known of it */
  async find(domainId: number, path: ShortPath): Promise<Target | null> {
    const found =
      path.kind === 'campaign'
        ? await this.campaigns.find(domainId, path.alias)
        : await this.links.find(domainId, path.code);
    const target = underAppPath<Target>(found, path.appPath);
    return target && (await this.deleted.has(target.organizationId)) ? { ...target, disabled: true } : target;
  }

  private peek(domainId: number, path: ShortPath): Target | null | undefined {
    const target = this.peekAny(domainId, path);
    if (!target) return target;
    const deleted = this.deleted.peek(target.organizationId);
    if (deleted === undefined) return undefined;
    return deleted ? { ...target, disabled: true } : target;
  }

  private peekAny(domainId: number, path: ShortPath): Target | null | undefined {
    const known =
      path.kind === 'campaign'
        ? this.campaigns.peek(domainId, path.alias)
        : this.links.peek(domainId, path.code);
    return known && underAppPath<Target>(known, path.appPath);
  }
}

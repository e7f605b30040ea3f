import { Injectable } from '@nestjs/common';
import { DeletedOrganizationCache } from '../../access/organizations/deleted-organizations';
import type { CodeDomain } from '../domains/code-domain';
import { parseShortPath, type ShortPath } from './redirect-request';
import {
  type CachedTrackedLink,
  CampaignCache,
  LinkCache,
  underAppPath,
} from '../tracked-links/tracked-link-cache';

/**
 * The cached tracked link of a path: null if it is known not to exist, undefined, with the parsed path, if `find` must
 * be called.
 */
export type Located = { tracker: string | null } & (
  { trackedLink: CachedTrackedLink | null } | { trackedLink: undefined; shortPath: ShortPath }
);

/** Finds the tracked link of a path, in memory if possible. */
@Injectable()
export class TrackedLinkLocator {
  constructor(
    private readonly links: LinkCache,
    private readonly campaigns: CampaignCache,
    private readonly deleted: DeletedOrganizationCache,
  ) {}

  /** Looks up the tracked link of a path in memory. @returns null for a path that no link or campaign can have */
  locate(domain: CodeDomain, path: string): Located | null {
    // Fast path: most paths are a cached code.
    const known = this.links.peek(domain, path.slice(1));
    if (known && !path.includes('%') && this.deleted.peek(known.organizationId) === false)
      return { trackedLink: known, tracker: null };
    const shortPath = parseShortPath(path);
    if (!shortPath) return null;
    const tracker = shortPath.kind === 'campaign' ? shortPath.tracker : null;
    const trackedLink = this.peek(domain, shortPath);
    return trackedLink === undefined ? { trackedLink, tracker, shortPath } : { trackedLink, tracker };
  }

  /** @throws if no store is available and nothing is cached for the path */
  async find(domain: CodeDomain, path: ShortPath): Promise<CachedTrackedLink | null> {
    const found =
      path.kind === 'campaign'
        ? await this.campaigns.find(domain, path.alias)
        : await this.links.find(domain, path.code);
    const trackedLink = underAppPath<CachedTrackedLink>(found, path.appPath);
    return trackedLink && (await this.deleted.has(trackedLink.organizationId))
      ? { ...trackedLink, disabled: true }
      : trackedLink;
  }

  private peek(domain: CodeDomain, path: ShortPath): CachedTrackedLink | null | undefined {
    const trackedLink = this.peekAny(domain, path);
    if (!trackedLink) return trackedLink;
    const deleted = this.deleted.peek(trackedLink.organizationId);
    if (deleted === undefined) return undefined;
    return deleted ? { ...trackedLink, disabled: true } : trackedLink;
  }

  private peekAny(domain: CodeDomain, path: ShortPath): CachedTrackedLink | null | undefined {
    const known =
      path.kind === 'campaign' ? this.campaigns.peek(domain, path.alias) : this.links.peek(domain, path.code);
    return known && underAppPath<CachedTrackedLink>(known, path.appPath);
  }
}

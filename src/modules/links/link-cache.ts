import { Injectable } from '@nestjs/common';
import {
  TrackedLinkCacheDependencies,
  type CachedTrackedLink,
  type StoredTrackedLink,
  TrackedLinkCache,
} from '../tracked-links/tracked-link-cache';
import type { Link } from './link.entity';
import { type Routing, routingOf } from '../tracked-links/routing/routing';

type StoredLink = StoredTrackedLink &
  Pick<Link, 'passwordHash' | 'maxClicks' | 'targeting' | 'variants'> & {
    /** Whether `maxClicks` was reached when the row was read; it may have been reached since. */
    usedUp: boolean;
  };

interface PreparedLink {
  /** Null if all visitors are sent to one destination. */
  routing: Routing | null;
}

/** A link with everything that a redirect needs. */
export type CachedLink = CachedTrackedLink<'link', StoredLink> & PreparedLink;

@Injectable()
export class LinkCache extends TrackedLinkCache<'link', StoredLink, PreparedLink> {
  constructor(dependencies: TrackedLinkCacheDependencies) {
    const more = [
      'password_hash AS "passwordHash"',
      'max_clicks AS "maxClicks"',
      'coalesce(used_clicks >= max_clicks, false) AS "usedUp"',
      'targeting',
      'variants',
    ];
    const prepare = (link: StoredLink) => ({ routing: routingOf(link) });
    super({ kind: 'link', more, prepare }, dependencies);
  }
}

import { Injectable } from '@nestjs/common';
import {
  TrackedLinkStores,
  type CachedTrackedLink,
  type StoredTrackedLink,
  TrackedLinkCache,
} from '../tracked-links/cache/tracked-link-cache';
import type { Link } from './link.entity';
import { type Routing, routingOf } from './routing/link-routing';

type StoredLink = StoredTrackedLink &
  Pick<Link, 'passwordHash' | 'maxClicks' | 'targeting' | 'variants'> & {
    /** Whether `maxClicks` visits had been let through when it was read; more may have been since. */
    usedUp: boolean;
  };

interface PreparedLink {
  /** Where it leads whom; null when everybody goes to one place. */
  routing: Routing | null;
}

/** A link as redirecting knows it. */
export type CachedLink = CachedTrackedLink<'link', StoredLink> & PreparedLink;

/** Finds links by domain and code. */
@Injectable()
export class LinkCache extends TrackedLinkCache<'link', StoredLink, PreparedLink> {
  constructor(stores: TrackedLinkStores) {
    const more = [
      'password_hash AS "passwordHash"',
      'max_clicks AS "maxClicks"',
      'coalesce(used_clicks >= max_clicks, false) AS "usedUp"',
      'targeting',
      'variants',
    ];
    const prepare = (link: StoredLink) => ({ routing: routingOf(link) });
    super({ kind: 'link', more, prepare }, stores);
  }
}

import { Injectable } from '@nestjs/common';
import { DirectoryStores } from '../tracked-links/cache/tracked-link-stores';
import {
  type CachedTarget,
  type StoredTarget,
  TargetDirectory,
} from '../tracked-links/cache/tracked-link-cache';
import type { Link } from './link.entity';
import { type Routing, routingOf } from './routing/link-routing';

type StoredLink = StoredTarget &
  Pick<Link, 'passwordHash' | 'maxClicks' | 'targeting' | 'variants'> & {
    /** Whether `maxClicks` visits had been let through when it was read; more may have been since. */
    usedUp: boolean;
  };

interface PreparedLink {
  /** Where it leads whom; null when everybody goes to one place. */
  routing: Routing | null;
}

/** A link as redirecting knows it. */
export type LinkTarget = CachedTarget<'link', StoredLink> & PreparedLink;

/** Finds links by domain and code. */
@Injectable()
export class LinkDirectory extends TargetDirectory<'link', StoredLink, PreparedLink> {
  constructor(stores: DirectoryStores) {
    const more = [
      'password_hash AS "passwordHash"',
      'max_clicks AS "maxClicks"',
      'coalesce(used_clicks >= max_clicks, false) AS "usedUp"',
      'targeting',
      'variants',
    ];
    const prepare = (link: StoredLink) => ({ routing: routingOf(link) });
    super({ kind: 'link', table: 'links', code: 'code', more, prepare }, stores);
  }
}

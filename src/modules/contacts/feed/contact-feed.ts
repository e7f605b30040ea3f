import { Injectable } from '@nestjs/common';
import { toDateTime } from '../../../common/time/format';
import { FeedCursors, type FeedOf } from '../../../infrastructure/encryption/feed-cursors';
import type { ContactChangeItem, ContactFeedQuery, ContactFeedResponse } from './contact-feed.dto';
import { ContactPresenter } from '../contact-presenter';
import { Database } from '../../../infrastructure/database/database';

interface Row {
  readonly head: number;
  /** Null in the only row of an empty page. */
  readonly id: number | null;
  readonly position: number;
  readonly externalUserId: string | null;
  readonly active: boolean;
  readonly changedAt: Date;
}

// Reads head and changes in one snapshot, so that no change up to the head is missed.
const CHANGES = {
  name: 'contacts.changes',
  text: `
    SELECT h.head, c.* FROM (
      SELECT coalesce((SELECT position FROM contact_heads WHERE organization_id = $1), 0) AS head
    ) h LEFT JOIN LATERAL (
      SELECT f.contact_id AS id, f.position, coalesce(k.external_user_id, f.external_user_id) AS "externalUserId",
             k.id IS NOT NULL AND k.deactivated_at IS NULL AS active, coalesce(k.updated_at, f.erased_at) AS "changedAt"
        FROM contact_changes f
        LEFT JOIN contacts k ON k.organization_id = f.organization_id AND k.id = f.contact_id
       WHERE f.organization_id = $1 AND f.position > $2
       ORDER BY f.position LIMIT $3
    ) c ON true
    ORDER BY c.position`,
};

/** Feed for synchronization: each contact once, at its latest change (docs/concepts/contacts.md#changes). */
@Injectable()
export class ContactFeed {
  constructor(
    private readonly database: Database,
    private readonly cursors: FeedCursors,
    private readonly presenter: ContactPresenter,
  ) {}

  /** @throws InvalidCursor */
  async read(organizationId: number, { cursor, limit }: ContactFeedQuery): Promise<ContactFeedResponse> {
    const feed: FeedOf = { organizationId, kind: 'contacts', part: [0, 1] };
    const start = cursor ? this.cursors.read(cursor, feed) : 0;
    const rows = await this.database.hot<Row>(CHANGES, [organizationId, start, limit + 1]);
    const changes = rows.flatMap(({ id, ...row }) => (id === null ? [] : { id, ...row }));
    const hasMore = changes.length > limit;
    const page = changes.slice(0, limit);
    const last = hasMore ? (page.at(-1)?.position ?? start) : (rows[0]?.head ?? start);
    const items = await this.items(organizationId, feed, page);
    return { items, nextCursor: this.cursors.of(feed, last), hasMore };
  }

  /** Skips contacts deleted since the page was read, whose deletion follows later in the feed. */
  private async items(
    organizationId: number,
    feed: FeedOf,
    page: readonly (Row & { readonly id: number })[],
  ): Promise<ContactChangeItem[]> {
    const ids = page.filter(({ active }) => active).map(({ id }) => id);
    const contacts = new Map((await this.presenter.many(organizationId, ids)).map((each) => [each.id, each]));
    return page.flatMap(({ id, position, active, externalUserId, changedAt }): ContactChangeItem[] => {
      const cursor = this.cursors.of(feed, position);
      if (!active) {
        const at = toDateTime(changedAt);
        return [{ type: 'DELETED', id, externalUserId, contact: null, changedAt: at, cursor }];
      }
      const contact = contacts.get(id);
      if (contact?.status !== 'ACTIVE') return [];
      const { externalUserId: member, updatedAt } = contact;
      return [{ type: 'UPSERTED', id, externalUserId: member, contact, changedAt: updatedAt, cursor }];
    });
  }
}

import { Injectable } from '@nestjs/common';
import type { TrackedLinkKind } from '../clicks/click';
import { WebhookOutbox } from '../webhooks/outbox/webhook-outbox';
import type { TrackedLinkEntity } from './tracked-link.entity';
import type { Counted, TrackedLinksRepository } from './tracked-links.repository';
import type { Tx } from '../../infrastructure/database/database';

export type Owned = Pick<TrackedLinkEntity, 'id' | 'organizationId'>;
type Verb = 'created' | 'updated' | 'deleted' | 'unhealthy';

/** Port to the API responses of links or campaigns. Their modules register with `TrackedLinkEvents`. */
export interface TrackedLinkView<T extends TrackedLinkEntity> {
  readonly rows: Pick<TrackedLinksRepository<T>, 'kind' | 'table' | 'countedColumns'>;
  /** @param tx shows changes that are not committed yet */
  show(organizationId: number, trackedLinks: readonly Counted<T>[], tx?: Tx): Promise<object[]>;
}

/** Events per statement. */
const BATCH = 500;

/** Webhook events about links and campaigns (docs/webhooks.md#events). */
@Injectable()
export class TrackedLinkEvents {
  private readonly views = new Map<TrackedLinkKind, TrackedLinkView<TrackedLinkEntity>>();

  constructor(private readonly outbox: WebhookOutbox) {}

  register(view: TrackedLinkView<TrackedLinkEntity>): void {
    this.views.set(view.rows.kind, view);
  }

  async wanted(kind: TrackedLinkKind, verb: Verb, organizationId: number, tx?: Tx): Promise<boolean> {
    return (await this.outbox.wanted(organizationId, tx))(`${kind}.${verb}`);
  }

  /**
   * Stores an event for each in the transaction of the change, after it. Without subscribers, this is one look-up.
   * @param trackedLinks of one organization
   */
  async add(tx: Tx, kind: TrackedLinkKind, verb: Verb, trackedLinks: readonly Owned[]): Promise<void> {
    const organizationId = trackedLinks[0]?.organizationId;
    const view = this.views.get(kind);
    if (organizationId === undefined || !view) return;
    if (!(await this.wanted(kind, verb, organizationId, tx))) return;
    for (let from = 0; from < trackedLinks.length; from += BATCH) {
      const ids = trackedLinks.slice(from, from + BATCH).map(({ id }) => id);
      const rows = await tx.query<Counted<TrackedLinkEntity>>(allOf(view.rows), [organizationId, ids]);
      const shown = await view.show(organizationId, rows, tx);
      const name = `${kind}.${verb}` as const;
      await this.outbox.add(tx, ...shown.map((data) => ({ name, organizationId, data })));
    }
  }
}

/** SQL for the rows, including deleted ones. */
function allOf({ countedColumns, table }: TrackedLinkView<TrackedLinkEntity>['rows']): string {
  return `SELECT ${countedColumns} FROM ${table} WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id`;
}

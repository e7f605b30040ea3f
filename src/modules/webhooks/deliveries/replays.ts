import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import { earliestIdOf } from '../../../common/uuid';
import { Database, type Tx } from '../../../infrastructure/database/database';
import type { WorkItem } from '../../../infrastructure/jobs/wake-up-queue';
import type { DeliveryKind, WebhookEndpointRow } from '../endpoints/webhook-endpoint.entity';
import { passesFiltersSql } from '../outbox/endpoint-filters';
import { deliveryIdSql, dueAtOnceSql, subscriptionsToSql } from '../outbox/webhook-outbox';

/** Events scanned per step. */
const MAX_SCANNED = 2_000;
/** Deliveries per step. The next step follows their attempts, so that new events do not queue behind the replay. */
const MAX_DELIVERIES = 100;

type Replay = Pick<WebhookEndpointRow, 'replayAfter' | 'replayUntil'>;

/**
 * Resends events to one endpoint: all since a certain time that it subscribes to and that pass its filters, whether or
 * not they were delivered.
 */
@Injectable()
export class Replays {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Starts a replay. One that is in progress is extended: to now, and back to `since` by starting over. */
  async start(tx: Tx, organizationId: number, endpointId: number, since: Date): Promise<void> {
    const now = this.clock.now();
    await tx.execute(
      `UPDATE webhook_endpoints
          SET replay_after = CASE WHEN replay_since <= $3::timestamptz THEN replay_after ELSE $4 END,
              replay_since = least(replay_since, $3::timestamptz), replay_until = $5
        WHERE organization_id = $1 AND id = $2`,
      [organizationId, endpointId, since, earliestIdOf(since.getTime()), earliestIdOf(now + 1)],
    );
  }

  /** Makes the next events due of the replay of an endpoint of this kind. @returns whether one was in progress */
  async next(endpoint: WorkItem, kind: DeliveryKind): Promise<boolean> {
    const key = [endpoint.id, endpoint.organizationId];
    const sql = `SELECT 1 FROM webhook_endpoints
                  WHERE id = $1 AND organization_id = $2 AND delivery = $3 AND replay_after IS NOT NULL`;
    if ((await this.database.read(sql, [...key, kind])).length === 0) return false;
    return this.database.write(async (tx) => {
      const [replay] = await tx.query<Replay>(
        `SELECT replay_after AS "replayAfter", replay_until AS "replayUntil" FROM webhook_endpoints
          WHERE id = $1 AND organization_id = $2 AND enabled AND replay_after IS NOT NULL
            FOR NO KEY UPDATE`,
        key,
      );
      if (!replay) return false;
      const last = await this.makeDue(tx, endpoint, replay);
      await tx.execute(
        `UPDATE webhook_endpoints
            SET replay_after = $3, replay_since = CASE WHEN $3::uuid IS NULL THEN NULL ELSE replay_since END,
                replay_until = CASE WHEN $3::uuid IS NULL THEN NULL ELSE replay_until END
          WHERE id = $1 AND organization_id = $2`,
        [...key, last],
      );
      return true;
    });
  }

  /** @returns the last event of this step; null after the last step */
  private async makeDue(tx: Tx, endpoint: WorkItem, replay: Replay): Promise<string | null> {
    const { organizationId, id: endpointId } = endpoint;
    const { replayAfter, replayUntil } = replay;
    const [row] = await tx.query<{ last: string | null }>(
      `WITH scanned AS (
         SELECT id, name, link_id, campaign_id, app_id FROM outbox_events
          WHERE organization_id = $1 AND id > $2 AND id < $3 ORDER BY id LIMIT ${MAX_SCANNED}
       ), wanted AS (
         SELECT e.id, e.name FROM scanned e JOIN webhook_endpoints w ON w.organization_id = $1 AND w.id = $4
          WHERE e.name <> 'webhook.test' AND w.events && ${subscriptionsToSql('e.name')} AND ${passesFiltersSql('w', 'e', 'ARRAY[$1::bigint]')}
          ORDER BY e.id LIMIT ${MAX_DELIVERIES}
       ), again AS (
         INSERT INTO webhook_deliveries AS d (id, organization_id, endpoint_id, event_id, event, next_at)
         SELECT ${deliveryIdSql('id')}, $1, $4, id, name, ${dueAtOnceSql('$5')} FROM wanted
         ON CONFLICT (event_id, endpoint_id, organization_id) DO UPDATE
            SET status = 'PENDING', attempt = 0, next_at = excluded.next_at
          WHERE d.status <> 'PENDING'
       )
       SELECT CASE WHEN (SELECT count(*) FROM wanted) = ${MAX_DELIVERIES} THEN (SELECT max(id::text) FROM wanted)
                   WHEN (SELECT count(*) FROM scanned) = ${MAX_SCANNED} THEN (SELECT max(id::text) FROM scanned) END AS last`,
      [organizationId, replayAfter, replayUntil, endpointId, this.clock.date()],
    );
    return row?.last ?? null;
  }
}

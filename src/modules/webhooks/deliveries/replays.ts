import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import { earliestIdOf } from '../../../common/uuid';
import { subscriptionsToSql } from '../endpoints/subscriptions';
import { deliveryIdSql, DUE_AT_ONCE } from '../outbox/webhook-outbox';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';

/** Events that are looked at in one step. */
const LOOKED_AT = 2_000;
/** Deliveries of one step. The next one follows when they have been attempted: what happens meanwhile waits for no more. */
const STEP = 100;

interface Replay {
  readonly organizationId: number;
  readonly after: string;
  readonly until: string;
  readonly events: readonly string[];
}

/** Sends events again to one endpoint: those since a time that it subscribes to, delivered before or not. */
@Injectable()
export class Replays {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Starts a replay. One that is under way and began no later does it all; one that began later starts over. */
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

  /** Makes the next events of an endpoint's replay due. @returns whether there was one under way */
  async next(endpointId: number): Promise<boolean> {
    const sql = 'SELECT 1 FROM webhook_endpoints WHERE id = $1 AND replay_after IS NOT NULL';
    if ((await this.database.read(sql, [endpointId])).length === 0) return false;
    return this.database.write(async (tx) => {
      const [replay] = await tx.query<Replay>(
        `SELECT organization_id AS "organizationId", replay_after AS after, replay_until AS until, events
           FROM webhook_endpoints WHERE id = $1 AND enabled AND replay_after IS NOT NULL
            FOR NO KEY UPDATE`,
        [endpointId],
      );
      if (!replay) return false;
      const last = await this.makeDue(tx, endpointId, replay);
      await tx.execute(
        `UPDATE webhook_endpoints
            SET replay_after = $2, replay_since = CASE WHEN $2::uuid IS NULL THEN NULL ELSE replay_since END,
                replay_until = CASE WHEN $2::uuid IS NULL THEN NULL ELSE replay_until END
          WHERE id = $1`,
        [endpointId, last],
      );
      return true;
    });
  }

  /** @returns the event behind which it goes on, null when that was all */
  private async makeDue(tx: Tx, endpointId: number, replay: Replay): Promise<string | null> {
    const { organizationId, after, until, events } = replay;
    const [row] = await tx.query<{ last: string | null }>(
      `WITH looked AS (
         SELECT id, name FROM outbox_events
          WHERE organization_id = $1 AND id > $2 AND id < $3 ORDER BY id LIMIT ${LOOKED_AT}
       ), wanted AS (
         SELECT id, name FROM looked
          WHERE name <> 'webhook.test' AND $5::text[] && ${subscriptionsToSql('name')} ORDER BY id LIMIT ${STEP}
       ), again AS (
         INSERT INTO webhook_deliveries AS d (id, organization_id, endpoint_id, event_id, event, next_at)
         SELECT ${deliveryIdSql('id')}, $1, $4, id, name, $6::timestamptz - ${DUE_AT_ONCE} FROM wanted
         ON CONFLICT (event_id, endpoint_id) DO UPDATE
            SET status = 'PENDING', attempt = 0, next_at = excluded.next_at
          WHERE d.status <> 'PENDING'
       )
       SELECT CASE WHEN (SELECT count(*) FROM wanted) = ${STEP} THEN (SELECT max(id::text) FROM wanted)
                   WHEN (SELECT count(*) FROM looked) = ${LOOKED_AT} THEN (SELECT max(id::text) FROM looked) END AS last`,
      [organizationId, after, until, endpointId, events, this.clock.date()],
    );
    return row?.last ?? null;
  }
}

import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import type { ClaimedDelivery, Outcome } from '../deliveries/delivery';
import { type DisabledEndpoint, EndpointAudit } from './endpoint-audit';
import { Database } from '../../../infrastructure/database/database';

/** Failures only, for so long, disable an endpoint (docs/webhooks.md#retries). */
const DISABLE_AFTER_MS = 5 * 86_400_000;

interface Seen {
  readonly endpointId: number;
  delivered: boolean;
  gone: boolean;
  /** Of the last failure. */
  error: string | null;
  at: Date;
}

const DELIVERED = `
  WITH seen AS (
    SELECT organization_id, id FROM webhook_endpoints
     WHERE id = ANY ($1) AND (failing_since IS NOT NULL OR last_delivered_at IS NULL
                              OR last_delivered_at < $2::timestamptz - interval '1 minute')
     ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE webhook_endpoints w SET failing_since = NULL, last_delivered_at = $2
    FROM seen WHERE w.organization_id = seen.organization_id AND w.id = seen.id`;
// In the order of their ids, so that no two processes wait for each other.
const FAILED = `
  WITH seen AS (
    SELECT w.organization_id, w.id, r.at, r.error
      FROM webhook_endpoints w JOIN unnest($1::bigint[], $2::timestamptz[], $3::text[]) AS r (id, at, error) ON w.id = r.id
     ORDER BY w.id FOR NO KEY UPDATE OF w
  ), failed AS (
    UPDATE webhook_endpoints w
       SET failing_since = coalesce(w.failing_since, seen.at), last_error_at = greatest(w.last_error_at, seen.at),
           last_error = CASE WHEN w.last_error_at > seen.at THEN w.last_error ELSE seen.error END
      FROM seen WHERE w.organization_id = seen.organization_id AND w.id = seen.id
    RETURNING w.id, w.failing_since
  )
  SELECT id FROM failed WHERE failing_since <= $4`;

/** What deliveries say about their endpoints: since when one fails, with what, and when it is enough. */
@Injectable()
export class EndpointHealth {
  private readonly logger = new Logger(EndpointHealth.name);

  constructor(
    private readonly database: Database,
    private readonly audit: EndpointAudit,
    private readonly clock: Clock,
  ) {}

  async note(outcomes: readonly { delivery: ClaimedDelivery; outcome: Outcome }[]): Promise<void> {
    const seen = new Map<number, Seen>();
    for (const { delivery, outcome } of outcomes) {
      const { endpointId } = delivery;
      const { attempt, result } = outcome;
      const one = seen.get(endpointId) ?? {
        endpointId,
        delivered: false,
        gone: false,
        error: null,
        at: new Date(0),
      };
      if (result === 'delivered') one.delivered = true;
      else one.error = String(attempt.statusCode ?? attempt.error);
      if (result === 'gone') one.gone = true;
      one.at = new Date(attempt.at);
      seen.set(endpointId, one);
    }
    const all = [...seen.values()];
    await this.delivered(all.filter(({ delivered }) => delivered));
    const tooLong = await this.failed(all.filter(({ error }) => error !== null));
    for (const { endpointId } of all.filter(({ gone }) => gone)) await this.disable(endpointId, 'GONE');
    for (const endpointId of tooLong) await this.disable(endpointId, 'FAILURES');
  }

  private async delivered(seen: readonly Seen[]): Promise<void> {
    if (seen.length === 0) return;
    const ids = seen.map(({ endpointId }) => endpointId);
    await this.database.prompt(DELIVERED, [ids, this.clock.date()]);
  }

  /** @returns endpoints that have failed for too long */
  private async failed(seen: readonly Seen[]): Promise<number[]> {
    if (seen.length === 0) return [];
    const rows = await this.database.prompt<{ id: number }>(FAILED, [
      seen.map(({ endpointId }) => endpointId),
      seen.map(({ at }) => at),
      seen.map(({ error }) => error),
      new Date(this.clock.now() - DISABLE_AFTER_MS),
    ]);
    return rows.map(({ id }) => id);
  }

  private async disable(endpointId: number, reason: DisabledEndpoint['reason']): Promise<void> {
    await this.database.write(async (tx) => {
      const [endpoint] = await tx.query<Omit<DisabledEndpoint, 'reason'>>(
        `WITH disabled AS (
           UPDATE webhook_endpoints SET enabled = false, disabled_reason = $2, disabled_at = $3, updated_at = $3
            WHERE id = $1 AND enabled
            RETURNING id, organization_id AS "organizationId", last_error AS "lastError"
         )
         SELECT * FROM disabled`,
        [endpointId, reason, this.clock.date()],
      );
      if (!endpoint) return;
      await this.audit.disabled(tx, { ...endpoint, reason });
      this.logger.warn(`Webhook endpoint ${endpointId} is disabled: ${reason}`);
    });
  }
}

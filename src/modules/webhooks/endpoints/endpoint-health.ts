import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AuditLog } from '../../../access/audit/audit-log';
import { Clock } from '../../../common/time/clock';
import { Database, PROMPTLY } from '../../../infrastructure/database/database';
import type { WorkItem } from '../../../infrastructure/jobs/wake-up-queue';
import { OncePerSchedule } from '../../../infrastructure/schedule/once-per-schedule';
import type { ClaimedDelivery, Outcome } from '../delivery';
import type { DisabledReason, WebhookEndpointRow } from './webhook-endpoint.entity';

/** Duration of uninterrupted failures after which an endpoint is disabled (docs/webhooks.md#retries). */
const DISABLE_AFTER_MS = 5 * 86_400_000;
/** Time without a listener after which a pulled endpoint is disabled (docs/webhooks.md#without-a-public-address). */
const UNPULLED_MS = 86_400_000;

/** Actor in the audit log for endpoints that the service disables. */
const DELIVERY_ACTOR = {
  actor: { type: 'PLATFORM', id: null, name: 'webhook delivery' },
  userId: null,
  username: null,
  permissions: new Set<string>(),
  role: 'PLATFORM',
  ip: '127.0.0.1',
} as const;

/** Outcomes of one endpoint. */
interface Summary extends Readonly<Pick<ClaimedDelivery, 'organizationId' | 'endpointId'>> {
  delivered: boolean;
  gone: boolean;
  /** Error of the last failure. */
  error: string | null;
  at: Date;
}

const DELIVERED = `
  WITH seen AS (
    SELECT id FROM webhook_endpoints
     WHERE organization_id = $1 AND id = ANY ($2)
       AND (failing_since IS NOT NULL OR last_delivered_at IS NULL
            OR last_delivered_at < $3::timestamptz - interval '1 minute')
     ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE webhook_endpoints w SET failing_since = NULL, last_delivered_at = $3
    FROM seen WHERE w.organization_id = $1 AND w.id = seen.id`;
// Locked in order of ids, to avoid deadlocks.
const FAILED = `
  WITH seen AS (
    SELECT w.id, r.at, r.error
      FROM webhook_endpoints w
      JOIN unnest($2::bigint[], $3::timestamptz[], $4::text[]) AS r (id, at, error) USING (id)
     WHERE w.organization_id = $1
     ORDER BY w.id FOR NO KEY UPDATE OF w
  ), failed AS (
    UPDATE webhook_endpoints w
       SET failing_since = coalesce(w.failing_since, seen.at), last_error_at = greatest(w.last_error_at, seen.at),
           last_error = CASE WHEN w.last_error_at > seen.at THEN w.last_error ELSE seen.error END
      FROM seen WHERE w.organization_id = $1 AND w.id = seen.id
    RETURNING w.id, w.failing_since
  )
  SELECT id AS "endpointId" FROM failed WHERE failing_since <= $5`;

/** Endpoints neither pulled nor changed since $1. */
const UNPULLED = `
  SELECT id, organization_id AS "organizationId" FROM webhook_endpoints
   WHERE enabled AND delivery = 'PULL' AND greatest(last_pulled_at, updated_at) < $1`;

/** Tracks the health of endpoints, and disables those that are gone, have failed for too long or have no listener. */
@Injectable()
export class EndpointHealth {
  private readonly logger = new Logger(EndpointHealth.name);

  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly schedule: OncePerSchedule,
  ) {}

  @Cron('17 * * * *')
  tick(): Promise<boolean> {
    return this.schedule.run('webhooks.unpulled', 3600, () => this.disableUnpulled());
  }

  /** Disables endpoints without a listener, whose deliveries would pile up. */
  async disableUnpulled(): Promise<void> {
    const before = new Date(this.clock.now() - UNPULLED_MS);
    for (const { organizationId, id } of await this.database.read<WorkItem>(UNPULLED, [before])) {
      await this.disable(organizationId, id, 'NOT_PULLED');
    }
  }

  async record(outcomes: readonly { delivery: ClaimedDelivery; outcome: Outcome }[]): Promise<void> {
    const summaries = summarize(outcomes);
    for (const organizationId of new Set(summaries.map((each) => each.organizationId))) {
      const own = summaries.filter((each) => each.organizationId === organizationId);
      await this.recordDelivered(
        organizationId,
        own.filter(({ delivered }) => delivered),
      );
      const tooLong = await this.recordFailed(
        organizationId,
        own.filter(({ error }) => error !== null),
      );
      for (const { endpointId } of own.filter(({ gone }) => gone)) {
        await this.disable(organizationId, endpointId, 'GONE');
      }
      for (const endpointId of tooLong) await this.disable(organizationId, endpointId, 'FAILURES');
    }
  }

  private async recordDelivered(organizationId: number, summaries: readonly Summary[]): Promise<void> {
    if (summaries.length === 0) return;
    await this.database.read(DELIVERED, [organizationId, idsOf(summaries), this.clock.date()], PROMPTLY);
  }

  /** @returns endpoints that have failed for too long */
  private async recordFailed(organizationId: number, summaries: readonly Summary[]): Promise<number[]> {
    if (summaries.length === 0) return [];
    const rows = await this.database.read<{ endpointId: number }>(
      FAILED,
      [
        organizationId,
        idsOf(summaries),
        summaries.map(({ at }) => at),
        summaries.map(({ error }) => error),
        new Date(this.clock.now() - DISABLE_AFTER_MS),
      ],
      PROMPTLY,
    );
    return rows.map(({ endpointId }) => endpointId);
  }

  private async disable(organizationId: number, endpointId: number, reason: DisabledReason): Promise<void> {
    await this.database.write(async (tx) => {
      const [endpoint] = await tx.query<Pick<WebhookEndpointRow, 'lastError'>>(
        `UPDATE webhook_endpoints SET enabled = false, disabled_reason = $2, disabled_at = $3, updated_at = $3
          WHERE organization_id = $4 AND id = $1 AND enabled
         RETURNING last_error AS "lastError"`,
        [endpointId, reason, this.clock.date(), organizationId],
      );
      if (!endpoint) return;
      const { lastError } = endpoint;
      await this.audit.record(
        tx,
        { ...DELIVERY_ACTOR, organizationId },
        {
          action: 'webhook.disable',
          resourceType: 'webhook',
          resourceId: endpointId,
          changes: {
            enabled: { from: true, to: false },
            disabledReason: { from: null, to: reason },
            lastError: { from: null, to: lastError },
          },
        },
      );
      this.logger.warn(`Webhook endpoint ${endpointId} is disabled: ${reason}`);
    });
  }
}

function idsOf(summaries: readonly Summary[]): number[] {
  return summaries.map(({ endpointId }) => endpointId);
}

function summarize(outcomes: readonly { delivery: ClaimedDelivery; outcome: Outcome }[]): Summary[] {
  const summaries = new Map<number, Summary>();
  for (const { delivery, outcome } of outcomes) {
    const { organizationId, endpointId } = delivery;
    const { attempt, result } = outcome;
    const summary = summaries.get(endpointId) ?? {
      organizationId,
      endpointId,
      delivered: false,
      gone: false,
      error: null,
      at: new Date(0),
    };
    if (result === 'delivered') summary.delivered = true;
    else summary.error = String(attempt.statusCode ?? attempt.error);
    if (result === 'gone') summary.gone = true;
    summary.at = new Date(attempt.at);
    summaries.set(endpointId, summary);
  }
  return [...summaries.values()];
}

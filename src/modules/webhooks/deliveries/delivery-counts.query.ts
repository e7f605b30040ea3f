import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import { earliestIdOf } from '../../../common/uuid';
import { Database } from '../../../infrastructure/database/database';
import type { DeliveryStatus } from '../delivery';

const DAY_MS = 24 * 3_600_000;
/** Deliveries of an endpoint that are counted, the newest ones; limited for the sake of busy endpoints. */
const MAX_COUNTED = 10_000;

export type DeliveryCounts = Readonly<Record<DeliveryStatus, number>>;

export const NO_DELIVERIES: DeliveryCounts = { PENDING: 0, DELIVERED: 0, FAILED: 0 };

interface CountRow {
  readonly endpointId: number;
  readonly status: DeliveryStatus;
  readonly count: number;
}

/** Counts of deliveries by endpoint and status, for events of the last 24 hours. */
@Injectable()
export class DeliveryCountsQuery {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @returns counts by endpoint; endpoints without deliveries are omitted */
  async run(organizationId: number, endpointIds: readonly number[]): Promise<Map<number, DeliveryCounts>> {
    const since = earliestIdOf(this.clock.now() - DAY_MS);
    const rows = await this.database.reportRows<CountRow>(organizationId, COUNTS, [
      organizationId,
      endpointIds,
      since,
    ]);
    const counts = new Map<number, DeliveryCounts>();
    for (const { endpointId, status, count } of rows) {
      counts.set(endpointId, { ...(counts.get(endpointId) ?? NO_DELIVERIES), [status]: count });
    }
    return counts;
  }
}

const COUNTS = `
  SELECT w.id AS "endpointId", newest.status, count(*) AS count
    FROM unnest($2::bigint[]) AS w (id)
   CROSS JOIN LATERAL (
     SELECT d.status FROM webhook_deliveries d
      WHERE d.organization_id = $1 AND d.endpoint_id = w.id AND d.id >= $3
      ORDER BY d.id DESC LIMIT ${MAX_COUNTED}) AS newest
   GROUP BY w.id, newest.status`;

import { Injectable } from '@nestjs/common';
import { And, LessThan, MoreThanOrEqual } from 'typeorm';
import { earliestIdOf, timeOfId } from '../../../common/uuid';
import { Database, type Tx } from '../../../infrastructure/database/database';
import type { EventName } from '../outbox/outbox-event';
import { WebhookOutbox } from '../outbox/webhook-outbox';
import { DeliveriesRepository } from './deliveries.repository';
import type { Attempt, DeliveryStatus } from '../delivery';
import { bodyOf } from './delivery-client';
import { WebhookDelivery } from './webhook-delivery.entity';

/** Maximum of counts and of paging; filters by time reach further. */
const LOG_LIMIT = 10_000;

export interface LoggedDelivery extends Pick<WebhookDelivery, 'id' | 'event' | 'status'> {
  readonly createdAt: Date;
  /** Null if there is no next attempt. */
  readonly nextAttemptAt: Date | null;
  readonly attempts: readonly Attempt[];
}

export interface DetailedDelivery extends LoggedDelivery {
  readonly endpointId: number;
  /** Null once the event has been deleted. */
  readonly body: string | null;
}

export interface DeliveryLogFilter {
  readonly organizationId: number;
  readonly endpointId: number;
  readonly status: DeliveryStatus | null;
  readonly event: EventName | null;
  /** Range of the time of the event: `from` is inclusive, `to` exclusive. */
  readonly from: Date | null;
  readonly to: Date | null;
}

type LogRow = Pick<WebhookDelivery, 'id' | 'event' | 'status' | 'nextAt' | 'attempts'>;

interface DetailedRow extends LogRow, Pick<WebhookDelivery, 'endpointId' | 'eventId'> {
  readonly data: string | null;
  readonly eventCreatedAt: Date;
}

const DETAILED = `
  SELECT d.id, d.event, d.status, d.next_at AS "nextAt", d.attempts, d.endpoint_id AS "endpointId",
         d.event_id AS "eventId", e.data, e.created_at AS "eventCreatedAt"
    FROM webhook_deliveries d
    JOIN webhook_endpoints w
      ON w.organization_id = d.organization_id AND w.id = d.endpoint_id AND w.deleted_at IS NULL
    LEFT JOIN outbox_events e ON e.organization_id = d.organization_id AND e.id = d.event_id
   WHERE d.organization_id = $1 AND d.id = $2`;

@Injectable()
export class DeliveryLog {
  constructor(
    private readonly database: Database,
    private readonly rows: DeliveriesRepository,
    private readonly outbox: WebhookOutbox,
  ) {}

  /** @returns a page, newest first, and the number of matching deliveries up to LOG_LIMIT */
  list(
    filter: DeliveryLogFilter,
    page: number,
    size: number,
  ): Promise<[rows: LoggedDelivery[], total: number]> {
    return this.database.report(filter.organizationId, async (tx) => {
      const matching = this.matching(tx, filter);
      const beyond = page * size >= LOG_LIMIT;
      const rows = beyond
        ? []
        : await matching
            .clone()
            .select(['d.id', 'd.event', 'd.status', 'd.nextAt', 'd.attempts'])
            .orderBy('d.id', 'DESC')
            .limit(size)
            .offset(page * size)
            .getMany();
      const [sql, parameters] = matching.select('1').limit(LOG_LIMIT).getQueryAndParameters();
      const [counted] = await tx.query<{ total: number }>(
        `SELECT count(*) AS total FROM (${sql}) AS counted`,
        parameters,
      );
      return [rows.map((row) => this.open(filter.organizationId, row)), counted?.total ?? 0];
    });
  }

  /** @returns null if the organization has no such delivery, or its endpoint has been deleted */
  async find(organizationId: number, id: string): Promise<DetailedDelivery | null> {
    const [row] = await this.database.read<DetailedRow>(DETAILED, [organizationId, id]);
    if (!row) return null;
    const { endpointId, event, eventId, eventCreatedAt: createdAt } = row;
    const data = row.data === null ? null : this.outbox.dataOf(organizationId, eventId, row.data);
    const body = data === null ? null : bodyOf({ id: row.id, organizationId, event, createdAt, data });
    return { ...this.open(organizationId, row), endpointId, body };
  }

  private matching(tx: Tx, { organizationId, endpointId, status, event, from, to }: DeliveryLogFilter) {
    // An id starts with the time of its event.
    const ids = [
      ...(from ? [MoreThanOrEqual(earliestIdOf(from.getTime()))] : []),
      ...(to ? [LessThan(earliestIdOf(to.getTime()))] : []),
    ];
    const query = tx
      .repository(WebhookDelivery)
      .createQueryBuilder('d')
      .where({
        organizationId,
        endpointId,
        ...(status && { status }),
        ...(event && { event }),
        ...(ids.length > 0 && { id: And(...ids) }),
      });
    // A literal instead of a parameter, for Postgres to use the partial index on undelivered deliveries.
    return status === null || status === 'DELIVERED' ? query : query.andWhere(`d.status <> 'DELIVERED'`);
  }

  private open(organizationId: number, row: LogRow): LoggedDelivery {
    const { id, event, status, nextAt } = row;
    const createdAt = timeOfId(id);
    return {
      id,
      event,
      status,
      createdAt,
      // The first attempt is due slightly before the event, to allow for clock skew.
      nextAttemptAt: nextAt && nextAt < createdAt ? createdAt : nextAt,
      attempts: this.rows.openLog(organizationId, id, row.attempts),
    };
  }
}

import { Injectable } from '@nestjs/common';
import { earliestIdOf, timeOfId } from '../../../common/uuid';
import type { Attempt, DeliveryStatus } from './delivery';
import { DeliveriesRepository } from './deliveries.repository';
import type { EventName } from '../outbox/outbox-event';
import { Database } from '../../../infrastructure/database/database';

/** A list counts no further: of millions, what is beyond is found by narrowing the time. */
const LOG_LIMIT = 10_000;

export interface LoggedDelivery {
  readonly id: string;
  readonly event: string;
  readonly status: DeliveryStatus;
  readonly createdAt: Date;
  /** When it is attempted next; null when it is not. */
  readonly nextAttemptAt: Date | null;
  readonly attempts: readonly Attempt[];
}

export interface DeliveryLogFilter {
  readonly organizationId: number;
  readonly endpointId: number;
  readonly status: DeliveryStatus | null;
  readonly event: EventName | null;
  /** Of the event; `to` is not part of it. */
  readonly from: Date | null;
  readonly to: Date | null;
}

type Row = Pick<LoggedDelivery, 'id' | 'event' | 'status' | 'nextAttemptAt'> & {
  readonly attempts: string | null;
};

/** What was delivered to an endpoint, newest first. */
@Injectable()
export class DeliveryLog {
  constructor(
    private readonly database: Database,
    private readonly rows: DeliveriesRepository,
  ) {}

  /** @returns a page, and how many deliveries there are, up to LOG_LIMIT */
  async list(
    filter: DeliveryLogFilter,
    page: number,
    size: number,
  ): Promise<[rows: LoggedDelivery[], total: number]> {
    const { organizationId, endpointId, status, event, from, to } = filter;
    const given: unknown[] = [organizationId, endpointId];
    const conditions = ['d.organization_id = $1', 'd.endpoint_id = $2'];
    const narrow = (condition: (parameter: string) => string, value: unknown) => {
      if (value !== null) conditions.push(condition(`$${given.push(value)}`));
    };
    narrow((p) => `d.status = ${p}`, status);
    narrow((p) => `d.event = ${p}`, event);
    // An id begins with the time of its event.
    narrow((p) => `d.id >= ${p}`, from && earliestIdOf(from.getTime()));
    narrow((p) => `d.id < ${p}`, to && earliestIdOf(to.getTime()));
    // Said out loud, it opens the index of those that were not delivered.
    if (status !== null && status !== 'DELIVERED') conditions.push(`d.status <> 'DELIVERED'`);
    const where = conditions.join(' AND ');
    const beyond = page * size >= LOG_LIMIT;
    const rows = await this.database.read<Row>(
      `SELECT d.id, d.event, d.status, d.next_at AS "nextAttemptAt", d.attempts
         FROM webhook_deliveries d WHERE ${where}
        ORDER BY d.id DESC LIMIT $${given.length + 1} OFFSET $${given.length + 2}`,
      [...given, beyond ? 0 : size, beyond ? 0 : page * size],
    );
    const count = await this.database.single<{ total: number }>(
      `SELECT count(*) AS total FROM (SELECT FROM webhook_deliveries d WHERE ${where} LIMIT ${LOG_LIMIT}) AS counted`,
      given,
    );
    return [rows.map((row) => this.open(organizationId, row)), count.total];
  }

  private open(organizationId: number, row: Row): LoggedDelivery {
    const createdAt = timeOfId(row.id);
    const { nextAttemptAt } = row;
    return {
      ...row,
      createdAt,
      // What is due at once is so from a little before.
      nextAttemptAt: nextAttemptAt && nextAttemptAt < createdAt ? createdAt : nextAttemptAt,
      attempts: this.rows.openLog(organizationId, row.id, row.attempts),
    };
  }
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, LessThan, MoreThanOrEqual, type Repository } from 'typeorm';
import { earliestIdOf, timeOfId } from '../../../common/uuid';
import { Database } from '../../../infrastructure/database/database';
import type { EventName } from '../outbox/outbox-event';
import { DeliveriesRepository } from './deliveries.repository';
import type { Attempt, DeliveryStatus } from './delivery';
import { WebhookDelivery } from './webhook-delivery.entity';

/** Lists count up to here, and pages end here; filters by time reach further. */
const LOG_LIMIT = 10_000;

export interface LoggedDelivery extends Pick<WebhookDelivery, 'id' | 'event' | 'status'> {
  readonly createdAt: Date;
  /** Null if there is no next attempt. */
  readonly nextAttemptAt: Date | null;
  readonly attempts: readonly Attempt[];
}

export interface DeliveryLogFilter {
  readonly organizationId: number;
  readonly endpointId: number;
  readonly status: DeliveryStatus | null;
  readonly event: EventName | null;
  /** Time of the event: from `from`, before `to`. */
  readonly from: Date | null;
  readonly to: Date | null;
}

/** The deliveries of an endpoint, newest first. */
@Injectable()
export class DeliveryLog {
  constructor(
    @InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>,
    private readonly database: Database,
    private readonly rows: DeliveriesRepository,
  ) {}

  /** @returns a page, and how many deliveries match, up to LOG_LIMIT */
  async list(
    filter: DeliveryLogFilter,
    page: number,
    size: number,
  ): Promise<[rows: LoggedDelivery[], total: number]> {
    const matching = this.matching(filter);
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
    const { total } = await this.database.single<{ total: number }>(
      `SELECT count(*) AS total FROM (${sql}) AS counted`,
      parameters,
    );
    return [rows.map((row) => this.open(filter.organizationId, row)), total];
  }

  private matching({ organizationId, endpointId, status, event, from, to }: DeliveryLogFilter) {
    // An id starts with the time of its event.
    const ids = [
      ...(from ? [MoreThanOrEqual(earliestIdOf(from.getTime()))] : []),
      ...(to ? [LessThan(earliestIdOf(to.getTime()))] : []),
    ];
    const query = this.deliveries.createQueryBuilder('d').where({
      organizationId,
      endpointId,
      ...(status && { status }),
      ...(event && { event }),
      ...(ids.length > 0 && { id: And(...ids) }),
    });
    // The literal lets Postgres use the partial index on undelivered deliveries.
    return status === null || status === 'DELIVERED' ? query : query.andWhere(`d.status <> 'DELIVERED'`);
  }

  private open(organizationId: number, row: WebhookDelivery): LoggedDelivery {
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

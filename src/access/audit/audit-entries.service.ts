import { Injectable } from '@nestjs/common';
import { And, LessThan, MoreThanOrEqual } from 'typeorm';
import { ValidationFailed } from '../../common/errors/errors';
import { parseDateTime, parseStart } from '../../common/time/parse';
import { Database } from '../../infrastructure/database/database';
import type { Caller } from '../caller';
import { suppliedValues } from '../supplied';
import { AuditEntry } from './audit-entry.entity';
import type { AuditLogQuery } from './audit-log.dto';

@Injectable()
export class AuditEntriesService {
  constructor(private readonly database: Database) {}

  /** Entries, newest first. @throws ValidationFailed */
  async list(caller: Caller, query: AuditLogQuery): Promise<[rows: AuditEntry[], total: number]> {
    const [from, to] = [parseStart(query.from ?? ''), parseDateTime(query.to ?? '')];
    if (from && to && from > to) throw ValidationFailed.field('from', 'must not be after to');
    const times = [...(from ? [MoreThanOrEqual(from)] : []), ...(to ? [LessThan(to)] : [])];
    const filters = suppliedValues(query, ['actorType', 'actorId', 'action', 'resourceType', 'resourceId']);
    const { organizationId } = caller;
    return this.database.report(organizationId, (tx) =>
      tx.repository(AuditEntry).findAndCount({
        where: { ...filters, organizationId, ...(times.length > 0 && { at: And(...times) }) },
        order: { id: 'DESC' },
        skip: query.page * query.size,
        take: query.size,
      }),
    );
  }
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Caller } from '../caller';
import { suppliedValues } from '../supplied';
import { AuditEntry } from './audit-entry.entity';
import type { AuditLogQuery } from './audit-log.dto';

@Injectable()
export class AuditEntriesService {
  constructor(@InjectRepository(AuditEntry) private readonly entries: Repository<AuditEntry>) {}

  /** Newest first. */
  list(caller: Caller, query: AuditLogQuery): Promise<[rows: AuditEntry[], total: number]> {
    const filters = suppliedValues(query, ['action', 'resourceType', 'resourceId']);
    return this.entries.findAndCount({
      where: { ...filters, organizationId: caller.organizationId },
      order: { id: 'DESC' },
      skip: query.page * query.size,
      take: query.size,
    });
  }
}

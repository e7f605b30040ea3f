import { Injectable } from '@nestjs/common';
import { AuditLog, changesBetween } from '../../access/audit/audit-log';
import type { AuditChanges } from '../../access/audit/audit-entry.entity';
import type { Caller } from '../../access/caller';
import { Clock } from '../../common/time/clock';
import type { Segment, SegmentDefinition, SegmentSummary } from './segment';
import { checkedGroups } from './segment-condition-check';
import { SegmentEvaluations } from './segment-evaluations';
import { SegmentsRepository } from './segments.repository';
import type { CreateSegmentRequest, UpdateSegmentRequest } from './segments.dto';
import { Database, type Tx } from '../../infrastructure/database/database';
import { DomainError } from '../../common/errors/domain-error';

/** Each is evaluated over all contacts every night. */
const MAX_SEGMENTS = 200;

@Injectable()
export class SegmentsService {
  constructor(
    private readonly rows: SegmentsRepository,
    private readonly evaluations: SegmentEvaluations,
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  list(
    { organizationId }: Caller,
    { page, size }: { page: number; size: number },
  ): Promise<[SegmentSummary[], total: number]> {
    return this.rows.list(organizationId, page, size);
  }

  /** @throws NotFound */
  get({ organizationId }: Caller, id: number): Promise<Segment> {
    return this.rows.get(organizationId, id);
  }

  /** Creates a segment, which has no members until it is evaluated. @throws ValidationFailed, TOO_MANY_SEGMENTS */
  async create(caller: Caller, request: CreateSegmentRequest): Promise<Segment> {
    const definition = {
      name: request.name,
      description: request.description ?? null,
      isActive: request.isActive,
      conditionGroups: checkedGroups(request.conditionGroups, caller.organization),
    };
    const id = await this.database.write(async (tx) => {
      const limits = { at: this.clock.date(), max: MAX_SEGMENTS };
      const id = await this.rows.insert(tx, caller.organizationId, definition, limits);
      if (id === null)
        throw new DomainError('TOO_MANY_SEGMENTS', `An organization has at most ${MAX_SEGMENTS} segments`);
      await this.record(tx, caller, 'segment.create', id, changesBetween({}, auditedOf(definition)));
      return id;
    });
    return this.get(caller, id);
  }

  /** Changes a segment; its members stay those of the last evaluation. @throws NotFound, ValidationFailed */
  async update(caller: Caller, id: number, request: UpdateSegmentRequest): Promise<Segment> {
    const groups = request.conditionGroups && checkedGroups(request.conditionGroups, caller.organization);
    await this.database.write(async (tx) => {
      const before = await this.rows.lock(tx, caller.organizationId, id);
      const after = {
        name: request.name ?? before.name,
        description: request.description === undefined ? before.description : request.description,
        isActive: request.isActive ?? before.isActive,
        conditionGroups: groups ?? before.conditionGroups,
      };
      await this.rows.update(tx, before, after, this.clock.date());
      const changes = changesBetween(auditedOf(before), auditedOf(after));
      await this.record(tx, caller, 'segment.update', id, changes);
    });
    return this.get(caller, id);
  }

  /** @throws NotFound */
  async remove(caller: Caller, id: number): Promise<void> {
    await this.database.write(async (tx) => {
      const segment = await this.rows.lock(tx, caller.organizationId, id);
      await this.rows.remove(tx, segment);
      await this.record(tx, caller, 'segment.delete', id, { name: { from: segment.name, to: null } });
    });
  }

  /** Evaluates the segment now. @throws NotFound */
  async evaluate(caller: Caller, id: number): Promise<Segment> {
    await this.evaluations.onDemand(caller.organization, id);
    return this.get(caller, id);
  }

  private record(tx: Tx, caller: Caller, action: string, id: number, changes: AuditChanges): Promise<void> {
    return this.audit.record(tx, caller, { action, resourceType: 'segment', resourceId: id, changes });
  }
}

/** Conditions may contain personal data, so the audit log only has their number. */
function auditedOf({ name, description, isActive, conditionGroups }: SegmentDefinition) {
  const conditions = conditionGroups.reduce((sum, group) => sum + group.conditions.length, 0);
  return { name, description, isActive, conditions };
}

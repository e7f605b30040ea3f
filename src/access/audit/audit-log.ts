import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import type { AppKeyKind, Requester } from '../caller';
import type { AuditChanges } from './audit-entry.entity';
import type { Tx } from '../../infrastructure/database/database';

type AuditedCaller = Requester & { readonly organizationId: number; readonly key?: AppKeyKind };

export interface AuditedChange {
  /** `<resource>.<verb>`, such as `api_key.regenerate`. */
  action: string;
  /** Such as `api_key`, `user` or `link`. */
  resourceType: string;
  resourceId: number | string | null;
  /** Old and new values, without secrets, phone numbers and addresses. */
  changes?: AuditChanges;
}

const COLUMNS = [
  'organization_id',
  'at',
  'actor_type',
  'actor_id',
  'actor_name',
  'actor_key',
  'ip',
  'action',
  'resource_type',
  'changes',
  'resource_id',
];
const INSERT = `INSERT INTO audit_log (${COLUMNS.join(', ')})`;

/** Records who changed what, when, and from which IP address (docs/concepts/access.md#audit-log). */
@Injectable()
export class AuditLog {
  constructor(private readonly clock: Clock) {}

  /** Adds an entry in the transaction of the change, so that both are committed or neither. */
  async record(tx: Tx, caller: AuditedCaller, change: AuditedChange): Promise<void> {
    const { resourceId } = change;
    await tx.query(`${INSERT} VALUES (${placeholders(1, COLUMNS.length)})`, [
      ...this.valuesOf(caller, change),
      resourceId === null ? null : String(resourceId),
    ]);
  }

  /** Adds one entry per change, in a single statement. */
  async recordMany(tx: Tx, caller: AuditedCaller, changes: readonly AuditedChange[]): Promise<void> {
    if (changes.length === 0) return;
    const entries = changes.map((change) => {
      const values = [...this.valuesOf(caller, change), change.resourceId];
      const entry = Object.fromEntries(COLUMNS.map((name, i) => [name, values[i]]));
      return { ...entry, changes: change.changes ?? {} };
    });
    const columns = COLUMNS.join(', ');
    await tx.query(`${INSERT} SELECT ${columns} FROM json_populate_recordset(NULL::audit_log, $1::json)`, [
      JSON.stringify(entries),
    ]);
  }

  /** The parameter values for `auditEntriesOf`. */
  valuesOf(caller: AuditedCaller, change: Omit<AuditedChange, 'resourceId'>): unknown[] {
    return [
      caller.organizationId,
      this.clock.date().toISOString(),
      caller.actor.type,
      caller.actor.id,
      caller.actor.name,
      caller.key ?? null,
      caller.ip,
      change.action,
      change.resourceType,
      JSON.stringify(change.changes ?? {}),
    ];
  }
}

/**
 * SQL that inserts the audit entries of new rows in the same statement.
 * @param source name of the WITH query that returns their `id`
 * @param first number of the first of the parameters that `valuesOf` returns
 */
export function auditEntriesOf(source: string, first: number): string {
  return `${INSERT} SELECT ${placeholders(first, COLUMNS.length - 1)}, id::text FROM ${source}`;
}

function placeholders(first: number, count: number): string {
  return Array.from({ length: count }, (_, i) => `$${first + i}`).join(', ');
}

export function changesBetween<T extends object>(before: Partial<T>, after: Partial<T>): AuditChanges {
  const changes: AuditChanges = {};
  for (const [field, to] of Object.entries(after)) {
    const from: unknown = before[field as keyof T] ?? null;
    if (JSON.stringify(from) !== JSON.stringify(to)) changes[field] = { from, to };
  }
  return changes;
}

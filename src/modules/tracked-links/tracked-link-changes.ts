import { Injectable } from '@nestjs/common';
import type { AuditChanges } from '../../access/audit/audit-entry.entity';
import { AuditLog, changesBetween } from '../../access/audit/audit-log';
import type { Caller } from '../../access/caller';
import { randomBase62 } from '../../common/base62';
import { Clock } from '../../common/time/clock';
import { type Tx, Transactions } from '../../infrastructure/database/transactions';
import { isReservedWord } from '../domains/reserved-words';
import type { TargetEntity } from './tracked-link.entity';
import { OgFetches } from './open-graph/og-fetches';
import { ogOfChange } from './open-graph/og-fields';
import type { NewTarget, TargetRows } from './tracked-links.repository';
import { AliasTaken } from './tracked-links.errors';

const CODE_LENGTH = 7;
/** Of 62^7 codes; a second try is rare, a tenth means that something else is wrong. */
export const MAX_TRIES = 10;

/** A random code that is no reserved word. */
export function newCode(): string {
  for (;;) {
    const code = randomBase62(CODE_LENGTH);
    if (!isReservedWord(code)) return code;
  }
}

/** Where one kind is kept, and what must be told of its changes. */
export interface TargetStore<T extends TargetEntity> {
  rows: TargetRows<T>;
  /** Changes as the audit log may keep them; all of them where nothing is secret. */
  auditable?(changes: AuditChanges): AuditChanges;
  /** What the audit log keeps of a new one, when that is not its code and destination. */
  noted?(target: NewTarget<T>): object;
  directory: { changed(tx: Tx, targets: readonly Pick<T, 'domainId' | 'code'>[]): void };
}

/** Makes, changes and deletes links and campaigns: each with its audit entry, and no process left behind. */
@Injectable()
export class TargetChanges {
  constructor(
    private readonly tx: Transactions,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly fetches: OgFetches,
  ) {}

  /** Stores a new one, with a generated code where it has no alias. @throws AliasTaken */
  create<T extends TargetEntity>(store: TargetStore<T>, caller: Caller, draft: NewTarget<T>): Promise<T> {
    return draft.isAlias
      ? this.createAlias(store, caller, draft)
      : this.createGenerated(store, caller, draft);
  }

  /**
   * Changes fields, tells every process and the audit log; nothing happens when they already are so.
   * @param verb what the audit log calls it
   * @throws NotFound
   */
  async change<T extends TargetEntity>(
    store: TargetStore<T>,
    caller: Caller,
    id: number,
    fieldsOf: (target: T) => Partial<T>,
    verb = 'update',
  ): Promise<T> {
    return this.tx.run(async (tx) => {
      const target = await store.rows.lock(tx, caller.organizationId, id);
      const supplied = fieldsOf(target);
      const og = ogOfChange(target, supplied);
      const fields = { ...supplied, ...og.fields } as Partial<T>;
      const { ogAuto, ...changes } = changesBetween<T>(target, fields);
      if (!ogAuto && Object.keys(changes).length === 0) return target;
      const now = this.clock.date();
      const changed = { ...fields, updatedAt: now };
      const { kind } = store.rows;
      await store.rows.update(tx, target.id, changed);
      if (og.isDue) await this.fetches.ask(tx, kind, target, now);
      await this.audit.record(tx, caller, {
        action: `${kind}.${verb}`,
        resourceType: kind,
        resourceId: id,
        changes: store.auditable?.(changes) ?? changes,
      });
      store.directory.changed(tx, [target]);
      return Object.assign(target, changed);
    });
  }

  /** Soft: the code stops answering everywhere within a second, and stays taken. @throws NotFound */
  async remove<T extends TargetEntity>(store: TargetStore<T>, caller: Caller, id: number): Promise<void> {
    await this.tx.run(async (tx) => {
      const target = await store.rows.lock(tx, caller.organizationId, id);
      await store.rows.update(tx, target.id, { deletedAt: this.clock.date() });
      const { kind } = store.rows;
      await this.audit.record(tx, caller, { action: `${kind}.delete`, resourceType: kind, resourceId: id });
      store.directory.changed(tx, [target]);
    });
  }

  /** Processes may remember that nothing was there, so they are told. */
  private createAlias<T extends TargetEntity>(
    store: TargetStore<T>,
    caller: Caller,
    draft: NewTarget<T>,
  ): Promise<T> {
    return this.tx.run(async (tx) => {
      const target =
        (await this.insert(store, caller, draft, tx)) ??
        ((await store.rows.release(tx, draft)) ? await this.insert(store, caller, draft, tx) : null);
      if (!target) throw new AliasTaken(draft.code);
      store.directory.changed(tx, [target]);
      return target;
    });
  }

  /** Nobody can have asked for the code before, so there is nobody to tell, and one statement does it all. */
  private async createGenerated<T extends TargetEntity>(
    store: TargetStore<T>,
    caller: Caller,
    draft: NewTarget<T>,
  ): Promise<T> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const target = await this.insert(store, caller, { ...draft, code: newCode() });
      if (target) return target;
    }
    throw new Error(`No free code found in ${MAX_TRIES} tries`);
  }

  private insert<T extends TargetEntity>(
    store: TargetStore<T>,
    caller: Caller,
    target: NewTarget<T>,
    tx?: Tx,
  ): Promise<T | null> {
    const { rows } = store;
    const { code, originalUrl } = target;
    const entry = {
      action: `${rows.kind}.create`,
      resourceType: rows.kind,
      changes: changesBetween({}, store.noted?.(target) ?? { code, originalUrl }),
    };
    return rows.insert(target, this.audit.valuesOf(caller, entry), tx);
  }
}

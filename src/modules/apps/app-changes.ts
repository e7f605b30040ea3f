import { Injectable } from '@nestjs/common';
import { AuditLog, changesBetween } from '../../access/audit/audit-log';
import type { AuditChanges } from '../../access/audit/audit-entry.entity';
import type { Caller } from '../../access/caller';
import type { App } from './app.entity';
import { AppAssociations } from './associations/app-associations';
import { AppDeletions } from './app-deletions';
import { AppCache } from './cache/app-cache';
import { AppKeyCache } from './keys/app-key-cache';
import type { Tx } from '../../infrastructure/database/database';

type Verb = 'create' | 'update' | 'delete' | 'regenerate_key' | 'regenerate_publishable_key';

/** Side effects of a change to an app: audit log, cleanup of linked settings, cache invalidation. */
@Injectable()
export class AppChanges {
  constructor(
    private readonly audit: AuditLog,
    private readonly ties: AppDeletions,
    private readonly cache: AppCache,
    private readonly keys: AppKeyCache,
    private readonly associations: AppAssociations,
  ) {}

  async removed(tx: Tx, caller: Caller, app: App): Promise<void> {
    const released = await this.ties.release(tx, app);
    const none = Object.fromEntries(Object.keys(released).map((name) => [name, 0]));
    await this.tell(tx, caller, 'delete', app, changesBetween(released, none));
  }

  async tell(tx: Tx, caller: Caller, verb: Verb, app: App, changes: AuditChanges = {}): Promise<void> {
    const entry = { action: `app.${verb}`, resourceType: 'app', resourceId: app.id, changes };
    await this.audit.record(tx, caller, entry);
    this.cache.changed(tx, app);
    this.keys.changed(tx, app);
    this.associations.changed(tx, app);
  }
}

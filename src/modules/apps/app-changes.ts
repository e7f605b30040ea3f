import { Injectable } from '@nestjs/common';
import { AuditLog, changesBetween } from '../../access/audit/audit-log';
import type { Caller } from '../../access/caller';
import type { App } from './app.entity';
import { AppAssociations } from './associations/app-associations';
import { AppDeletions } from './app-deletions';
import { AppCache } from './cache/app-cache';
import { AppKeyCache } from './keys/app-key-cache';
import type { AppFields } from './app-fields';
import type { Tx } from '../../infrastructure/database/database';

export type KeyVerb = 'regenerate_key' | 'regenerate_publishable_key';

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

  created(tx: Tx, caller: Caller, app: App, fields: AppFields): Promise<void> {
    return this.tell(tx, caller, 'create', app, changesBetween<App>({}, { ...fields, path: app.path }));
  }

  updated(tx: Tx, caller: Caller, app: App, changes: ReturnType<typeof changesBetween>): Promise<void> {
    return this.tell(tx, caller, 'update', app, changes);
  }

  keyRegenerated(tx: Tx, caller: Caller, app: App, verb: KeyVerb): Promise<void> {
    return this.tell(tx, caller, verb, app);
  }

  async removed(tx: Tx, caller: Caller, app: App): Promise<void> {
    const released = await this.ties.release(tx, app);
    const none = Object.fromEntries(Object.keys(released).map((name) => [name, 0]));
    await this.tell(tx, caller, 'delete', app, changesBetween(released, none));
  }

  private async tell(
    tx: Tx,
    caller: Caller,
    verb: 'create' | 'update' | 'delete' | KeyVerb,
    app: App,
    changes: ReturnType<typeof changesBetween> = {},
  ): Promise<void> {
    const entry = { action: `app.${verb}`, resourceType: 'app', resourceId: app.id, changes };
    await this.audit.record(tx, caller, entry);
    this.cache.changed(tx, app);
    this.keys.changed(tx, app);
    this.associations.changed(tx, app);
  }
}

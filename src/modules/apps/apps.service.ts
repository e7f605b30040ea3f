import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../access/audit/audit-log';
import type { Caller } from '../../access/caller';
import { takeRoom } from '../../access/organizations/room';
import { ValidationFailed } from '../../common/errors/errors';
import { Clock } from '../../common/time/clock';
import type { App, Platform } from './app.entity';
import { AppChanges } from './app-changes';
import { fieldsOfNew, suppliedFields } from './app-fields';
import { AppRules } from './app-rules';
import type { CreateAppRequest, UpdateAppRequest } from './apps.dto';
import { AppsRepository } from './apps.repository';
import { AppFactory } from './app-factory';
import { Database, type Tx } from '../../infrastructure/database/database';
import { DomainError } from '../../common/errors/domain-error';

/** See docs/concepts/apps.md. */
@Injectable()
export class AppsService {
  constructor(
    private readonly database: Database,
    private readonly apps: AppsRepository,
    private readonly appFactory: AppFactory,
    private readonly rules: AppRules,
    private readonly changes: AppChanges,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailed, DESTINATION_NOT_ALLOWED, BUNDLE_ID_TAKEN, LimitReached */
  async create(caller: Caller, request: CreateAppRequest): Promise<App> {
    const fields = fieldsOfNew(request);
    this.rules.checkPlatform(fields.platform, fields);
    await this.rules.checkUrls(fields);
    const { organizationId } = caller;
    return this.database.write(async (tx) => {
      await this.checkBundleId(tx, organizationId, fields.platform, fields.bundleId);
      await takeRoom(tx, organizationId, 'apps', () => this.apps.count(tx, organizationId));
      const app = await this.appFactory.add(tx, caller, fields);
      const changes = changesBetween<App>({}, { ...fields, path: app.path });
      await this.changes.tell(tx, caller, 'create', app, changes);
      return app;
    });
  }

  /**
   * @throws NotFound, DESTINATION_NOT_ALLOWED, BUNDLE_ID_TAKEN; ValidationFailed, also for another platform, because links
   * refer to the app by platform
   */
  async update(caller: Caller, id: number, request: UpdateAppRequest): Promise<App> {
    const fields = suppliedFields(request);
    await this.rules.checkUrls(fields);
    return this.database.write(async (tx) => {
      const app = await this.apps.lock(tx, caller.organizationId, id);
      if (request.platform && request.platform !== app.platform) {
        throw ValidationFailed.field('platform', `cannot be changed: this is an app for ${app.platform}`);
      }
      this.rules.checkPlatform(app.platform, fields);
      const changes = changesBetween<App>(app, fields);
      if (Object.keys(changes).length === 0) return app;
      if (changes.bundleId) await this.checkBundleId(tx, app.organizationId, app.platform, fields.bundleId);
      const changed = { ...fields, updatedAt: this.clock.date() };
      await this.apps.update(tx, app, changed);
      await this.changes.tell(tx, caller, 'update', app, changes);
      return Object.assign(app, changed);
    });
  }

  /** Soft-deletes the app, and removes references to it in the same transaction. @throws NotFound */
  async remove(caller: Caller, id: number): Promise<void> {
    await this.database.write(async (tx) => {
      const app = await this.apps.lock(tx, caller.organizationId, id);
      await this.apps.update(tx, app, { deletedAt: this.clock.date() });
      await this.changes.removed(tx, caller, app);
    });
  }

  private async checkBundleId(
    tx: Tx,
    organizationId: number,
    platform: Platform,
    bundleId: string | null | undefined,
  ): Promise<void> {
    if (!bundleId || !(await this.apps.hasBundleId(tx, organizationId, platform, bundleId))) return;
    const details = [{ field: 'bundleId', message: 'is already used by another app of that platform' }];
    const message = `Another app on that platform has the bundle ID ${bundleId}`;
    throw new DomainError('BUNDLE_ID_TAKEN', message, { details });
  }
}

import { Injectable } from '@nestjs/common';
import { RoleRequired } from '../../access/access.errors';
import { makeKey } from '../../access/api-keys/key-format';
import { changesBetween } from '../../access/audit/audit-log';
import type { Caller } from '../../access/caller';
import { Clock } from '../../common/time/clock';
import type { App } from './app.entity';
import { AppChanges } from './app-changes';
import { AppKeys } from './keys/app-keys';
import type { UpdateAppSettingsRequest } from './apps.console.dto';
import { AppsRepository } from './apps.repository';
import { Database } from '../../infrastructure/database/database';

/** The settings of apps that the platform changes, and their keys. */
@Injectable()
export class AppAdministration {
  constructor(
    private readonly database: Database,
    private readonly apps: AppsRepository,
    private readonly keys: AppKeys,
    private readonly changes: AppChanges,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound */
  get({ organizationId }: Caller, id: number): Promise<App> {
    return this.apps.get(organizationId, id);
  }

  /** @throws NotFound; RoleRequired if a user changes a field that only the platform may change */
  async update(caller: Caller, id: number, request: UpdateAppSettingsRequest): Promise<App> {
    return this.database.write(async (tx) => {
      const app = await this.apps.lock(tx, caller.organizationId, id);
      const fields = suppliedSettings(request);
      const changes = changesBetween<App>(app, fields);
      const [name] = Object.keys(changes);
      if (name === undefined) return app;
      if (caller.actor.type !== 'PLATFORM') {
        throw new RoleRequired('PLATFORM', `Only the platform may change ${name}`);
      }
      const changed = { ...fields, updatedAt: this.clock.date() };
      await this.apps.update(tx, app, changed);
      await this.changes.tell(tx, caller, 'update', app, changes);
      return Object.assign(app, changed);
    });
  }

  /** Replaces the app's secret key; the old one and its signatures end at once. @throws NotFound */
  regenerateKey(caller: Caller, id: number): Promise<App> {
    return this.replaceKey(caller, id, 'regenerate_key', (app) => this.keys.make(app));
  }

  /** Replaces the app's publishable key; the old one stops working at once. @throws NotFound */
  regeneratePublishableKey(caller: Caller, id: number): Promise<App> {
    const make = () => ({ publishableKey: makeKey('wp_pub_') });
    return this.replaceKey(caller, id, 'regenerate_publishable_key', make);
  }

  private replaceKey(
    caller: Caller,
    id: number,
    verb: 'regenerate_key' | 'regenerate_publishable_key',
    make: (app: App) => Partial<App>,
  ): Promise<App> {
    return this.database.write(async (tx) => {
      const app = await this.apps.lock(tx, caller.organizationId, id);
      const changed = { ...make(app), updatedAt: this.clock.date() };
      await this.apps.update(tx, app, changed);
      await this.changes.tell(tx, caller, verb, app);
      return Object.assign(app, changed);
    });
  }
}

function suppliedSettings({ sdkRatePerMinute, onShortDomain }: UpdateAppSettingsRequest) {
  return {
    ...(sdkRatePerMinute && { sdkRatePerMinute }),
    ...(typeof onShortDomain === 'boolean' && { onShortDomain }),
  };
}

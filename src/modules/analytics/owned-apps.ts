import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { ValidationFailed } from '../../common/errors/errors';
import { Database } from '../../infrastructure/database/database';
import { type SessionSubject, wholeApp } from '../sessions/statistics/session-subject';
import { AppCache, type KnownApp } from '../apps/cache/app-cache';
import { AppNotOwned } from './analytics.errors';

export interface SelectedApps {
  /** Null for all apps. */
  appName: string | null;
  subject: SessionSubject;
}

const ALL_APPS = 'SELECT id FROM apps WHERE organization_id = $1';

@Injectable()
export class OwnedApps {
  constructor(
    private readonly apps: AppCache,
    private readonly database: Database,
  ) {}

  /**
   * The app of a query, or all apps including deleted ones, which API keys may not select.
   * @throws AppNotOwned, ValidationFailed
   */
  async selected(caller: Caller, appId: number | null | undefined): Promise<SelectedApps> {
    const { organizationId } = caller;
    if (appId) {
      const { appName } = await this.get(organizationId, appId);
      return { appName, subject: wholeApp({ organizationId, appId }) };
    }
    if (caller.actor.type === 'API_KEY') throw ValidationFailed.field('appId', 'is required');
    const rows = await this.database.lookup<{ id: number }>(ALL_APPS, [organizationId]);
    const ids = rows.map(({ id }) => id);
    return { appName: null, subject: { organizationId, appId: null, kind: 'app', ids } };
  }

  /**
   * @param field request field with the app's id
   * @throws AppNotOwned
   */
  async get(organizationId: number, appId: number, field = 'appId'): Promise<KnownApp> {
    const app = await this.apps.find(appId);
    if (app?.organizationId !== organizationId) throw new AppNotOwned(field);
    return app;
  }
}

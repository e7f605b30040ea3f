import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { ValidationFailed } from '../../common/errors/errors';
import { Database } from '../../infrastructure/database/database';
import { type SessionSubject, wholeApp } from '../sessions/statistics/session-subject';
import { AppCache, type KnownApp } from '../apps/cache/app-cache';
import { DomainError } from '../../common/errors/domain-error';

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
   * @throws APP_NOT_OWNED, ValidationFailed
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
   * @throws APP_NOT_OWNED
   */
  async get(organizationId: number, appId: number, field = 'appId'): Promise<KnownApp> {
    const app = await this.apps.find(appId);
    if (app?.organizationId !== organizationId) throw appNotOwned(field);
    return app;
  }
}

/** The organization has no such app. The error does not reveal whether another organization has it. */
export function appNotOwned(field: string): DomainError {
  const message = 'does not belong to this organization';
  return new DomainError('APP_NOT_OWNED', `The app ${message}`, { details: [{ field, message }] });
}

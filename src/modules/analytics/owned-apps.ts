import { Injectable } from '@nestjs/common';
import { AppCache, type KnownApp } from '../apps/cache/app-cache';
import { AppNotOwned } from './analytics.errors';

/** Restricts queries to the organization's own apps. */
@Injectable()
export class OwnedApps {
  constructor(private readonly apps: AppCache) {}

  /**
   * @param field of the request that names the app
   * @throws AppNotOwned
   */
  async get(organizationId: number, appId: number, field = 'appId'): Promise<KnownApp> {
    const app = await this.apps.find(appId);
    if (app?.organizationId !== organizationId) throw new AppNotOwned(field);
    return app;
  }
}

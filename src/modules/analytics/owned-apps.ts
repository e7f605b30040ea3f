import { Injectable } from '@nestjs/common';
import { AppCache, type KnownApp } from '../apps/cache/app-cache';
import { AppNotOwned } from './analytics.errors';

/** Restricts queries to the organization's own apps. */
@Injectable()
export class OwnedApps {
  constructor(private readonly apps: AppCache) {}

  /** @throws AppNotOwned */
  async get(organizationId: number, appId: number): Promise<KnownApp> {
    const app = await this.apps.find(appId);
    if (app?.organizationId !== organizationId) throw new AppNotOwned();
    return app;
  }
}

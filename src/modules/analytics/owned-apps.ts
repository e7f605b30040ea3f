import { Injectable } from '@nestjs/common';
import { AppDirectory, type KnownApp } from '../apps/cache/app-cache';
import { AppNotOwned } from './analytics.errors';

/** Apps that an organization may ask about: its own. */
@Injectable()
export class OwnedApps {
  constructor(private readonly apps: AppDirectory) {}

  /** @throws AppNotOwned */
  async get(organizationId: number, appId: number): Promise<KnownApp> {
    const app = await this.apps.find(appId);
    if (app?.organizationId !== organizationId) throw new AppNotOwned();
    return app;
  }
}

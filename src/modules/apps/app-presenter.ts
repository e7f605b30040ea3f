import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { SpringPage } from '../../common/pagination/spring-page';
import type { App } from './app.entity';
import { AppKeys } from './keys/app-keys';
import { type AppResponse, type ListAppsQuery, toAppResponse } from './apps.dto';
import { AppsRepository } from './apps.repository';

/** Builds app responses, with decrypted keys. */
@Injectable()
export class AppPresenter {
  constructor(
    private readonly apps: AppsRepository,
    private readonly keys: AppKeys,
  ) {}

  of(app: App): AppResponse {
    return toAppResponse(app, this.keys.read(app));
  }

  /** @throws NotFound */
  async get({ organizationId }: Caller, id: number): Promise<AppResponse> {
    return this.of(await this.apps.get(organizationId, id));
  }

  async list({ organizationId }: Caller, query: ListAppsQuery): Promise<SpringPage<AppResponse>> {
    const [apps, total] = await this.apps.list(organizationId, query);
    const content = apps.map((app) => this.of(app));
    return SpringPage.of(content, total, query);
  }
}

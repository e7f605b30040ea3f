import { Injectable } from '@nestjs/common';
import { displayPrefix } from '../../access/api-keys/key-format';
import type { Caller } from '../../access/caller';
import { suffices } from '../../access/roles';
import { SpringPage } from '../../common/pagination/spring-page';
import type { App } from './app.entity';
import { AppKeys } from './keys/app-keys';
import { type AppResponse, type ListAppsQuery, toAppResponse } from './apps.dto';
import { AppsRepository } from './apps.repository';

@Injectable()
export class AppPresenter {
  constructor(
    private readonly apps: AppsRepository,
    private readonly keys: AppKeys,
  ) {}

  /** Callers below ADMIN see only the beginning of the secret key. */
  of({ role }: Caller, app: App): AppResponse {
    const apiKey = this.keys.read(app);
    const mayRead = role !== null && suffices(role, 'ADMIN');
    return toAppResponse(app, mayRead ? apiKey : `${displayPrefix(apiKey)}…`);
  }

  /** @throws NotFound */
  async get(caller: Caller, id: number): Promise<AppResponse> {
    return this.of(caller, await this.apps.get(caller.organizationId, id));
  }

  async list(caller: Caller, query: ListAppsQuery): Promise<SpringPage<AppResponse>> {
    const [apps, total] = await this.apps.list(caller.organizationId, query);
    const content = apps.map((app) => this.of(caller, app));
    return SpringPage.of(content, total, query);
  }
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Repository } from 'typeorm';
import { App, type Platform } from '../app.entity';
import { Database, type Tx } from '../../../infrastructure/database/database';

@Injectable()
export class AppLookup {
  constructor(
    @InjectRepository(App) private readonly apps: Repository<App>,
    private readonly database: Database,
  ) {}

  /** The organization's app with that id and platform, unless deleted, or null. */
  findUsable(organizationId: number, id: number, platform: Platform): Promise<App | null> {
    return this.apps.findOneBy({ id, organizationId, platform, deletedAt: IsNull() });
  }

  /** The organization's apps with these ids, by id, without deleted ones. */
  async findMany(organizationId: number, ids: readonly number[], tx?: Tx): Promise<ReadonlyMap<number, App>> {
    if (ids.length === 0) return new Map();
    const apps = await (tx?.repository(App) ?? this.apps).findBy({
      id: In(ids),
      organizationId,
      deletedAt: IsNull(),
    });
    return new Map(apps.map((app) => [app.id, app]));
  }

  /** Whether an app of the organization has that URL namespace, including deleted apps. */
  async hasPath(organizationId: number, path: string): Promise<boolean> {
    return this.apps.existsBy({ organizationId, path });
  }

  /** URL namespaces by app id, including those of deleted apps, whose links keep their address. */
  async pathsOf(organizationId: number, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map();
    const apps = await this.database.lookup<Pick<App, 'id' | 'path'>>(PATHS, [organizationId, ids]);
    return new Map(apps.map(({ id, path }) => [id, path]));
  }
}

const PATHS = 'SELECT id, path FROM apps WHERE organization_id = $1 AND id = ANY($2)';

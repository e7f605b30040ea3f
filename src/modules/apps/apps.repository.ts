import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ILike, IsNull, Repository } from 'typeorm';
import { NotFound } from '../../common/errors/errors';
import { App, type Platform } from './app.entity';
import { Database, type Tx } from '../../infrastructure/database/database';
import { lockOrganization } from '../../infrastructure/database/organization-lock';

@Injectable()
export class AppsRepository {
  constructor(
    @InjectRepository(App) private readonly apps: Repository<App>,
    private readonly database: Database,
  ) {}

  /** The organization's app with that id, unless deleted. @throws NotFound */
  async get(organizationId: number, id: number): Promise<App> {
    return found(await this.apps.findOneBy({ id, organizationId, deletedAt: IsNull() }));
  }

  /** Like `get`, and locks the organization's apps until the transaction ends. @throws NotFound */
  async lock(tx: Tx, organizationId: number, id: number): Promise<App> {
    await lockOrganization(tx, 'apps', organizationId);
    return found(await tx.repository(App).findOneBy({ id, organizationId, deletedAt: IsNull() }));
  }

  /** A page of the organization's apps, newest first, and the total. */
  list(
    organizationId: number,
    { search, page, size }: { search?: string | null; page: number; size: number },
  ): Promise<[App[], number]> {
    const pattern = `%${search?.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    return this.database.report(organizationId, (tx) =>
      tx.repository(App).findAndCount({
        where: { organizationId, deletedAt: IsNull(), ...(search && { appName: ILike(pattern) }) },
        order: { id: 'DESC' },
        skip: page * size,
        take: size,
      }),
    );
  }

  count(tx: Tx, organizationId: number): Promise<number> {
    return tx.repository(App).countBy({ organizationId, deletedAt: IsNull() });
  }

  /** Reserves an id before the insert, because the encryption of the key is bound to it. */
  async nextId(tx: Tx): Promise<number> {
    const [row] = await tx.query<{ id: number }>(
      `SELECT nextval(pg_get_serial_sequence('apps', 'id')) AS id`,
    );
    return row?.id ?? 0;
  }

  /**
   * Whether the organization has a (not deleted) app with that bundle ID on that platform. Holds a lock until the
   * transaction ends, for which concurrent checks wait.
   */
  async hasBundleId(tx: Tx, organizationId: number, platform: Platform, bundleId: string): Promise<boolean> {
    await lockOrganization(tx, 'apps', organizationId);
    const where = { organizationId, platform, bundleId, deletedAt: IsNull() };
    return tx.repository(App).existsBy(where);
  }

  /** @returns false, without having written, if another app has that path */
  async insert(tx: Tx, app: App): Promise<boolean> {
    const { columns } = this.apps.metadata;
    const inserted = await tx.execute(
      `INSERT INTO apps (${columns.map(({ databaseName }) => databaseName).join(', ')})
       OVERRIDING SYSTEM VALUE
       VALUES (${columns.map((_, i) => `$${i + 1}`).join(', ')})
       ON CONFLICT (path) DO NOTHING`,
      columns.map(({ propertyName }) => app[propertyName as keyof App]),
    );
    return inserted === 1;
  }

  /** Changes an app whose row the transaction has locked. */
  async update(tx: Tx, { id, organizationId }: App, fields: Partial<App>): Promise<void> {
    await tx.repository(App).update({ id, organizationId }, fields);
  }
}

function found(app: App | null): App {
  if (!app) throw new NotFound('App');
  return app;
}

import { Injectable } from '@nestjs/common';
import { KeyedMutex } from '../../../common/keyed-mutex';
import { Database, type Tx } from '../../../infrastructure/database/database';
import { lockOrganization } from '../../../infrastructure/database/organization-lock';
import { utmOf } from '../../domains/destinations/utm';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import type { Counted, NewTrackedLink, TrackedLinksRepository } from '../tracked-links.repository';
import { sameSettings } from './same-settings.sql';

type Repository<T extends TrackedLinkEntity> = TrackedLinksRepository<T>;

/** Finds links and campaigns with the settings of a draft (docs/concepts/links.md#find-or-create). */
@Injectable()
export class ExistingTrackedLinks {
  /** Serializes calls within the process before the advisory lock, so that waiting ones hold no connection. */
  private readonly mutex = new KeyedMutex();

  constructor(private readonly database: Database) {}

  /**
   * Finds the one with the draft's settings, or creates it. Of concurrent calls with equal drafts, one creates it.
   * @param create runs in the transaction that holds the lock
   */
  async findOrCreate<T extends TrackedLinkEntity>(
    repository: Repository<T>,
    draft: NewTrackedLink<T>,
    create: (tx: Tx) => Promise<T>,
  ): Promise<{ found: Counted<T> } | { created: T }> {
    const find = async (tx?: Tx) => (await this.find(repository, [draft], tx)).get(draft);
    const known = await find();
    if (known) return { found: known };
    return this.exclusively(repository, draft.organizationId, async (tx) => {
      const found = await find(tx);
      return found ? { found } : { created: await create(tx) };
    });
  }

  /** Runs `work` in a transaction that excludes other calls of the organization. */
  exclusively<T extends TrackedLinkEntity, R>(
    { table }: Repository<T>,
    organizationId: number,
    work: (tx: Tx) => Promise<R>,
  ): Promise<R> {
    return this.mutex.run(`${table}/${organizationId}`, () =>
      this.database.write(async (tx) => {
        await lockOrganization(tx, `find_if_exists/${table}`, organizationId);
        return work(tx);
      }),
    );
  }

  /** The oldest one with the destination and settings of each draft, if any. All drafts must be of one organization. */
  async find<T extends TrackedLinkEntity>(
    repository: Repository<T>,
    drafts: readonly NewTrackedLink<T>[],
    tx?: Tx,
  ): Promise<ReadonlyMap<NewTrackedLink<T>, Counted<T>>> {
    const statement = { name: `${repository.table}.find settings`, text: statementOf(repository) };
    const items = drafts.map((draft) => {
      return { ...repository.toRecord(draft), own_campaign: utmOf(draft.originalUrl).utmCampaign };
    });
    const rows = await this.database.hot<Counted<T> & { position: number }>(
      statement,
      [drafts[0]?.organizationId, JSON.stringify(items)],
      tx,
    );
    return new Map(
      rows.flatMap(({ position, ...found }) => {
        const draft = drafts[position - 1];
        return draft ? [[draft, found as unknown as Counted<T>] as const] : [];
      }),
    );
  }
}

/** OFFSET 0 keeps the planner from scanning the primary key until a row matches. */
function statementOf<T extends TrackedLinkEntity>(repository: Repository<T>): string {
  const { table, countedColumns } = repository;
  return `
    SELECT given.position, ${countedColumns}
      FROM json_array_elements($2::json) WITH ORDINALITY AS given (item, position)
     CROSS JOIN LATERAL json_populate_record(NULL::${table}, given.item) AS draft
     CROSS JOIN LATERAL (
       SELECT id
         FROM (SELECT id FROM ${table} AS present WHERE ${sameSettings(repository, `given.item->>'own_campaign'`)} OFFSET 0) AS equal
        ORDER BY id LIMIT 1
     ) AS oldest
      JOIN ${table} ON ${table}.organization_id = $1 AND ${table}.id = oldest.id`;
}

import type { Tx } from '../../infrastructure/database/tx';
import type { App } from '../apps/app.entity';
import type { AppLinkCleanup } from '../apps/app-deletions';
import type { TrackedLinkEntity } from './tracked-link.entity';
import type { TrackedLinkStore } from './tracked-link-changes';

/** Columns of the tie to an app of a platform: the app, and the path that it opens. */
const COLUMNS: Readonly<Record<App['platform'], [app: string, path: string] | null>> = {
  iOS: ['ios_app_id', 'ios_deep_link_path'],
  Android: ['android_app_id', 'android_deep_link_path'],
  Web: null,
};

/** So many at once: no statement runs into its time limit, however many links an app has. */
const BATCH = 5_000;

/**
 * How one kind lets go of an app that is deleted (docs/concepts/apps.md#deleting-an-app). Links remember its path, so
 * their address goes on.
 */
export class TrackedLinkAppCleanup implements AppLinkCleanup {
  constructor(
    readonly name: string,
    private readonly table: string,
    private readonly code: string,
    private readonly directory: TrackedLinkStore<TrackedLinkEntity>['directory'],
  ) {}

  async release(tx: Tx, { id, platform }: App, now: Date): Promise<number> {
    const columns = COLUMNS[platform];
    if (!columns) return 0;
    const [app, path] = columns;
    // In the order of their ids: two deletions that meet on some of them must not wait for each other.
    const statement = `
      WITH tied AS (
        SELECT id FROM ${this.table} WHERE ${app} = $1 ORDER BY id LIMIT ${BATCH} FOR UPDATE
      ), released AS (
        UPDATE ${this.table} SET ${app} = NULL, ${path} = NULL, updated_at = $2
          FROM tied WHERE ${this.table}.id = tied.id
        RETURNING domain_id, ${this.code}
      )
      SELECT domain_id AS "domainId", ${this.code} AS code FROM released`;
    for (let count = 0; ;) {
      const released = await tx.query<Pick<TrackedLinkEntity, 'domainId' | 'code'>>(statement, [id, now]);
      this.directory.changed(tx, released);
      count += released.length;
      if (released.length < BATCH) return count;
    }
  }
}

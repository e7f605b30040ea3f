import type { Tx } from '../../infrastructure/database/tx';
import type { App } from '../apps/app.entity';
import type { AppLinkCleanup } from '../apps/app-deletions';
import type { TrackedLinkKind } from '../clicks/click';
import type { TrackedLinkChanges } from './tracked-link-changes';
import { TRACKED_LINK_TABLES, type TrackedLinkEntity } from './tracked-link.entity';

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
  readonly name: string;

  constructor(
    private readonly kind: TrackedLinkKind,
    private readonly changes: TrackedLinkChanges,
  ) {
    this.name = TRACKED_LINK_TABLES[kind].table;
  }

  async release(tx: Tx, { id, platform }: App, now: Date): Promise<number> {
    const columns = COLUMNS[platform];
    if (!columns) return 0;
    const [app, path] = columns;
    const { table, code } = TRACKED_LINK_TABLES[this.kind];
    // In the order of their ids: two deletions that meet on some of them must not wait for each other.
    const statement = `
      WITH tied AS (
        SELECT id FROM ${table} WHERE ${app} = $1 ORDER BY id LIMIT ${BATCH} FOR UPDATE
      ), released AS (
        UPDATE ${table} SET ${app} = NULL, ${path} = NULL, updated_at = $2
          FROM tied WHERE ${table}.id = tied.id
        RETURNING domain_id, ${code}
      )
      SELECT domain_id AS "domainId", ${code} AS code FROM released`;
    for (let count = 0; ;) {
      const released = await tx.query<Pick<TrackedLinkEntity, 'domainId' | 'code'>>(statement, [id, now]);
      this.changes.announce(tx, this.kind, released);
      count += released.length;
      if (released.length < BATCH) return count;
    }
  }
}

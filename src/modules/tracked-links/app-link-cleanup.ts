import type { App } from '../apps/app.entity';
import type { AppLinkCleanup } from '../apps/app-deletions';
import type { TrackedLinkKind } from '../clicks/click';
import type { TrackedLinkChanges } from './tracked-link-changes';
import { TRACKED_LINK_TABLES, type TrackedLinkEntity } from './tracked-link.entity';
import type { Tx } from '../../infrastructure/database/database';

/** By platform, the columns with the linked app and the path that it opens. */
const COLUMNS: Readonly<Record<App['platform'], [app: string, path: string] | null>> = {
  iOS: ['ios_app_id', 'ios_deep_link_path'],
  Android: ['android_app_id', 'android_deep_link_path'],
  Web: null,
};

type Released = Pick<TrackedLinkEntity, 'id' | 'organizationId' | 'domainId' | 'code' | 'formerCodes'>;

/** Rows per statement, so that apps with many links do not reach the statement timeout. */
const BATCH = 5_000;

/**
 * Removes the ties of tracked links of one kind to a deleted app (docs/concepts/apps.md#deleting-an-app). A trigger
 * records the former app, so that URLs under its namespace still work.
 */
export class TrackedLinkAppCleanup implements AppLinkCleanup {
  readonly name: string;

  constructor(
    private readonly kind: TrackedLinkKind,
    private readonly changes: TrackedLinkChanges,
  ) {
    this.name = TRACKED_LINK_TABLES[kind];
  }

  async release(tx: Tx, { id, organizationId, platform }: App, now: Date): Promise<number> {
    const columns = COLUMNS[platform];
    if (!columns) return 0;
    const [app, path] = columns;
    const table = TRACKED_LINK_TABLES[this.kind];
    // Locks in order of ids, to avoid deadlocks between concurrent deletions.
    const statement = `
      WITH tied AS MATERIALIZED (
        SELECT * FROM (
          SELECT id FROM ${table} WHERE organization_id = $3 AND ${app} = $1 ORDER BY id LIMIT ${BATCH} FOR UPDATE) AS locked
      ), released AS (
        UPDATE ${table} SET ${app} = NULL, ${path} = NULL, updated_at = $2
          FROM tied WHERE ${table}.id = tied.id AND organization_id = $3
        RETURNING ${table}.id, organization_id, domain_id, code, former_codes
      )
      SELECT id, organization_id AS "organizationId", domain_id AS "domainId", code,
             former_codes AS "formerCodes"
        FROM released`;
    for (let count = 0; ;) {
      const released = await tx.query<Released>(statement, [id, now, organizationId]);
      await this.changes.changed(tx, this.kind, released);
      count += released.length;
      if (released.length < BATCH) return count;
    }
  }
}

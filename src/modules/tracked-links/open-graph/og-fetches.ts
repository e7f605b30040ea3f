import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../../clicks/tracked-link-kind';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';

/** One destination that is to be asked for its page. */
export interface OgFetch {
  kind: TrackedLinkKind;
  trackedLinkId: number;
  organizationId: number;
  /** When it is tried again unless it is done by then. */
  dueAt: Date;
}

/** Tries of one destination, and how long after each the next one comes. */
const RETRY_MINUTES = [1, 15, 240];

/** Destinations whose pages are to be read: rows of Postgres, so that a restart forgets none. */
@Injectable()
export class OgFetches {
  constructor(private readonly database: Database) {}

  /** Part of the statement that adds rows. @param made rows with id, organization_id, og_auto and created_at */
  static ofNew(made: string, kind: TrackedLinkKind): string {
    return `
      INSERT INTO og_fetches (target_kind, target_id, organization_id, due_at)
      SELECT ${TRACKED_LINK_KIND[kind]}, id, organization_id, created_at FROM ${made} WHERE og_auto <> 0`;
  }

  /** Asks again, in the transaction that changes the destination. */
  async ask(
    tx: Tx,
    kind: TrackedLinkKind,
    trackedLink: { id: number; organizationId: number },
    at: Date,
  ): Promise<void> {
    await tx.query(ASK, [TRACKED_LINK_KIND[kind], trackedLink.id, trackedLink.organizationId, at]);
  }

  /**
   * Takes some that are due, longest first, and counts the try before it is made: a page that kills the process is
   * not read for ever.
   */
  async take(now: Date, limit: number): Promise<OgFetch[]> {
    const rows = await this.database.read<{
      kind: number;
      trackedLinkId: number;
      organizationId: number;
      dueAt: Date;
    }>(TAKE, [now, limit, RETRY_MINUTES]);
    return rows.map(({ kind, ...row }) => ({
      ...row,
      kind: kind === TRACKED_LINK_KIND.link ? 'link' : 'campaign',
    }));
  }

  /** Ends one, unless it has been asked for anew, or all that have had their tries. */
  async end(fetch: OgFetch): Promise<void> {
    await this.database.execute(END, [TRACKED_LINK_KIND[fetch.kind], fetch.trackedLinkId, fetch.dueAt]);
  }

  /** Forgets those that have had all their tries. */
  async forgetTried(now: Date): Promise<void> {
    await this.database.execute(`DELETE FROM og_fetches WHERE due_at <= $1 AND tries >= $2`, [
      now,
      RETRY_MINUTES.length,
    ]);
  }

  /** Forgets everything that is due: nobody is going to ask. */
  async forgetDue(now: Date): Promise<void> {
    await this.database.execute(`DELETE FROM og_fetches WHERE due_at <= $1`, [now]);
  }
}

const ASK = `
  INSERT INTO og_fetches (target_kind, target_id, organization_id, due_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (target_kind, target_id) DO UPDATE SET due_at = excluded.due_at, tries = 0`;
const TAKE = `
  WITH due AS (
    SELECT target_kind, target_id FROM og_fetches WHERE due_at <= $1 AND tries < cardinality($3::integer[])
     ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  UPDATE og_fetches AS f
     SET tries = f.tries + 1, due_at = date_trunc('milliseconds', $1 + ($3::integer[])[f.tries + 1] * interval '1 minute')
    FROM due WHERE f.target_kind = due.target_kind AND f.target_id = due.target_id
  RETURNING f.target_kind AS kind, f.target_id AS "trackedLinkId", f.organization_id AS "organizationId",
            f.due_at AS "dueAt"`;
const END = `DELETE FROM og_fetches WHERE target_kind = $1 AND target_id = $2 AND due_at = $3`;

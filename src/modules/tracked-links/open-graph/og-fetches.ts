import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../../clicks/click';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import { ADVISORY_LOCK } from '../../../infrastructure/database/advisory-locks';
import { Database, type Tx } from '../../../infrastructure/database/database';

/** Bits of `ogAuto`, set for fields that are filled from the destination's page rather than by the owner. */
const BITS = { ogTitle: 1, ogDescription: 2, ogImageUrl: 4 } as const;
type OgField = keyof typeof BITS;
const FIELDS = Object.keys(BITS) as OgField[];
const COLUMNS: Record<OgField, string> = {
  ogTitle: 'og_title',
  ogDescription: 'og_description',
  ogImageUrl: 'og_image_url',
};

/** `ogAuto` of a new link or campaign, in which the omitted fields are set. */
export function ogAutoOfNew(request: Partial<Record<OgField, string | null>>): number {
  return FIELDS.reduce((auto, field) => (request[field] ? auto : auto | BITS[field]), 0);
}

/** Effect of an update on Open Graph fields that are filled from the page. */
export interface OgChange {
  fields: Partial<TrackedLinkEntity>;
  /** Whether to fetch the new destination's page. */
  isDue: boolean;
}

/**
 * Applies an update to Open Graph fields. A field that the owner sets or clears is no longer filled from the page,
 * unless the owner sends its text back. When the destination changes, fields filled from the page are cleared until the
 * new page has been fetched.
 */
export function ogOfChange(trackedLink: TrackedLinkEntity, supplied: Partial<TrackedLinkEntity>): OgChange {
  const isSentBack = (field: OgField) => supplied[field] !== null && supplied[field] === trackedLink[field];
  const taken = FIELDS.filter((field) => supplied[field] !== undefined && !isSentBack(field));
  const ogAuto = taken.reduce((auto, field) => auto & ~BITS[field], trackedLink.ogAuto);
  const moved = supplied.originalUrl !== undefined && supplied.originalUrl !== trackedLink.originalUrl;
  const emptied = moved ? FIELDS.filter((field) => ogAuto & BITS[field]) : [];
  return {
    fields: {
      ...(ogAuto !== trackedLink.ogAuto && { ogAuto }),
      ...Object.fromEntries(emptied.map((field) => [field, null])),
    },
    isDue: emptied.length > 0,
  };
}

/** SET clause that fills each field whose `og_auto` bit is set; placeholders start at `first`. */
export function ogAssignments(first: number): string {
  return FIELDS.map((field, i) => {
    const column = COLUMNS[field];
    return `${column} = CASE WHEN og_auto & ${BITS[field]} <> 0 THEN $${first + i} ELSE ${column} END`;
  }).join(', ');
}

/** SQL condition: `ogAssignments` would change the row. */
export function ogDiffers(first: number): string {
  const differences = FIELDS.map(
    (field, i) => `(og_auto & ${BITS[field]} <> 0 AND ${COLUMNS[field]} IS DISTINCT FROM $${first + i})`,
  );
  return `(${differences.join(' OR ')})`;
}

/** SQL conditions: two rows have the same fields, where all values filled from the page count as equal. */
export function ogEquals(a: string, b: string): string[] {
  return FIELDS.map((field) => {
    const column = COLUMNS[field];
    return `(${a}.og_auto & ${BITS[field]} <> 0 OR ${a}.${column} IS NOT DISTINCT FROM ${b}.${column})`;
  }).concat(`${a}.og_auto = ${b}.og_auto`);
}

/** A fetch whose attempt has started. */
export interface DueOgFetch {
  kind: TrackedLinkKind;
  trackedLinkId: number;
  organizationId: number;
  /** Time of the next attempt. */
  dueAt: Date;
}

/**
 * Delay after each attempt. Their number is the number of attempts, which indexes of the table contain as well, and for
 * which `TAKE` has a parameter each.
 */
const RETRY_MINUTES = [1, 15, 240];

/** Queue of Open Graph fetches, in Postgres so that it survives restarts. */
@Injectable()
export class OgFetches {
  /** The organization of the last turn; 0 at first. */
  private last = 0;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** SQL that queues fetches for inserted rows. @param inserted CTE with id, organization_id, og_auto and created_at */
  static ofNew(inserted: string, kind: TrackedLinkKind): string {
    return `
      INSERT INTO og_fetches (kind, tracked_link_id, organization_id, due_at)
      SELECT ${TRACKED_LINK_KIND[kind]}, id, organization_id, created_at FROM ${inserted} WHERE og_auto <> 0`;
  }

  /** Queues a fetch in the transaction that changes the destination. */
  async queue(
    tx: Tx,
    kind: TrackedLinkKind,
    trackedLink: { id: number; organizationId: number },
    at: Date,
  ): Promise<void> {
    await tx.query(QUEUE, [TRACKED_LINK_KIND[kind], trackedLink.id, trackedLink.organizationId, at]);
  }

  /**
   * Takes fetches of the next organizations, in the order of their ids; within an organization, the longest overdue
   * first. An organization gets a limited number per turn. Attempts are counted before they start, so that a page that
   * crashes the process is not retried forever.
   */
  async take(limit: number): Promise<DueOgFetch[]> {
    const now = this.clock.date();
    const next = RETRY_MINUTES.map((minutes) => new Date(now.getTime() + minutes * 60_000));
    const rows = await this.database.write(async (tx) => {
      // Serialized, because statements over rows on several Citus nodes could deadlock.
      await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK.ogFetches]);
      const takeAfter = (last: number) =>
        tx.query<Omit<DueOgFetch, 'kind'> & { kind: number }>(TAKE, [now, limit, ...next, last]);
      const taken = await takeAfter(this.last);
      return taken.length > 0 || this.last === 0 ? taken : takeAfter(0);
    });
    this.last = rows.length < limit ? 0 : Math.max(...rows.map(({ organizationId }) => organizationId));
    return rows.map(({ kind, ...row }) => ({
      ...row,
      kind: kind === TRACKED_LINK_KIND.link ? 'link' : 'campaign',
    }));
  }

  /** Removes a fetch, unless it has been queued again meanwhile. */
  async end(fetch: DueOgFetch): Promise<void> {
    const { kind, trackedLinkId, dueAt, organizationId } = fetch;
    await this.database.execute(END, [TRACKED_LINK_KIND[kind], trackedLinkId, dueAt, organizationId]);
  }

  async deleteExhausted(): Promise<void> {
    await this.database.execute(`DELETE FROM og_fetches WHERE due_at <= $1 AND tries >= $2`, [
      this.clock.date(),
      RETRY_MINUTES.length,
    ]);
  }

  /** Removes every due fetch, for installations that do not fetch pages. */
  async deleteDue(): Promise<void> {
    await this.database.execute(`DELETE FROM og_fetches WHERE due_at <= $1`, [this.clock.date()]);
  }
}

const QUEUE = `
  INSERT INTO og_fetches (kind, tracked_link_id, organization_id, due_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (kind, tracked_link_id, organization_id) DO UPDATE SET due_at = excluded.due_at, tries = 0`;
const TAKE = `
  UPDATE og_fetches AS f
     SET tries = f.tries + 1, due_at = CASE f.tries WHEN 0 THEN $3::timestamptz WHEN 1 THEN $4::timestamptz ELSE $5::timestamptz END
   WHERE (organization_id, kind, tracked_link_id) IN (
           SELECT organization_id, kind, tracked_link_id FROM og_fetches
            WHERE organization_id > $6 AND due_at <= $1 AND tries < ${RETRY_MINUTES.length}
            ORDER BY organization_id, due_at LIMIT $2)
     AND due_at <= $1
  RETURNING f.kind, f.tracked_link_id AS "trackedLinkId", f.organization_id AS "organizationId",
            f.due_at AS "dueAt"`;
const END = `
  DELETE FROM og_fetches WHERE kind = $1 AND tracked_link_id = $2 AND due_at = $3 AND organization_id = $4`;

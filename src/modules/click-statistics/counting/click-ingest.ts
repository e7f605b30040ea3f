import { Inject, Injectable } from '@nestjs/common';
import { sanitizeText } from '../../../common/sanitize-text';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import type { CopyValue } from '../../../infrastructure/database/copy-rows';
import { Database } from '../../../infrastructure/database/database';
import { textArray } from '../../../infrastructure/database/sql-arrays';
import type { Tx } from '../../../infrastructure/database/tx';
import { isUniqueViolation } from '../../../infrastructure/database/unique-violation';
import { ClickEffects } from './click-effects';
import { ClickEnricher } from './click-enricher';
import type { EnrichedClick } from './enriched-click';
import { ClickRollups } from '../rollups/click-rollups';
import { type Click, TRACKED_LINK_KIND } from '../../clicks/click';
import { DedupLocks } from '../../clicks/dedup-locks';

/** Making a table waits for whoever reads the parent just then. */
const PARTITION_LIMIT_MS = 10_000;

/** The monthly partitions of raw clicks, made when the first click of a month is about to be written. */
@Injectable()
export class ClickPartitions {
  private readonly known = new Set<string>();

  constructor(private readonly database: Database) {}

  /** Makes sure that clicks of these UTC days (`YYYY-MM-DD`) have a partition. */
  async ensure(days: ReadonlySet<string>): Promise<void> {
    const months = new Set([...days].map((day) => day.slice(0, 7)));
    for (const month of months) if (!this.known.has(month)) await this.create(month);
  }

  private async create(month: string): Promise<void> {
    const from = new Date(`${month}-01T00:00:00Z`);
    const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1));
    // Two processes may want the same month at once, and IF NOT EXISTS alone lets one of them fail.
    await this.database.writeWithin(PARTITION_LIMIT_MS, async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(hashtext('click_partitions'))`);
      await tx.query(
        `CREATE TABLE IF NOT EXISTS clicks_${month.replace('-', '_')} PARTITION OF clicks
           FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
      );
    });
    this.known.add(month);
  }
}

/** A batch takes tenths of a second; one that takes so long has lost its connection, or is too much for the store. */
const BATCH_LIMIT_MS = 5_000;
const MIN_CLICKS = 100;

/** The transactions in which batches of clicks are counted, and how many clicks they take at a time. */
@Injectable()
export class CountingTransactions {
  /** Clicks of the next batch: fewer after one that was not done in time, more again after one that was. */
  clicks: number;
  private readonly maxClicks: number;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) config: Config,
  ) {
    this.clicks = this.maxClicks = config.clicks.batch;
  }

  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      const result = await this.database.writeWithin(BATCH_LIMIT_MS, work);
      this.clicks = Math.min(this.clicks * 2, this.maxClicks);
      return result;
    } catch (error) {
      const late = performance.now() - startedAt >= BATCH_LIMIT_MS;
      if (late) this.clicks = Math.min(Math.max(Math.ceil(this.clicks / 2), MIN_CLICKS), this.maxClicks);
      throw error;
    }
  }
}

/** Writes batches of clicks: raw rows, and rollups for the rows that were new. */
@Injectable()
export class ClickIngest {
  constructor(
    private readonly enricher: ClickEnricher,
    private readonly partitions: ClickPartitions,
    private readonly locks: DedupLocks,
    private readonly figures: ClickRollups,
    private readonly effects: ClickEffects,
  ) {}

  /** What can be found out before the transaction, so that it holds its locks no longer than it must. */
  async prepare(clicks: readonly Click[]): Promise<EnrichedClick[]> {
    const enriched = await this.enricher.enrich(clicks);
    await this.partitions.ensure(new Set(enriched.map(({ day }) => day)));
    return enriched;
  }

  /**
   * Counts clicks, in the caller's transaction. Those that were counted before change nothing.
   * @returns how many were new
   */
  async ingest(tx: Tx, prepared: readonly EnrichedClick[]): Promise<number> {
    const refused = await this.locks.settle(
      tx,
      prepared.filter((enriched) => !enriched.isBot).map((enriched) => enriched.click),
    );
    const [accepted, filtered] = split(prepared, refused);
    const fresh = await this.write(tx, accepted);
    if (fresh.length > 0) await this.figures.add(tx, fresh);
    await this.effects.apply(tx, fresh, filtered);
    return fresh.length;
  }

  /** @returns those that were not there */
  private async write(tx: Tx, rows: readonly EnrichedClick[]): Promise<readonly EnrichedClick[]> {
    try {
      await tx.attempt(() => tx.copy(`clicks ${COLUMNS}`, rows, valuesOf));
      return rows;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      return this.writeNew(tx, rows);
    }
  }

  /** For lines that are sent or read again, which only happens when something was killed or away. */
  private async writeNew(tx: Tx, rows: readonly EnrichedClick[]): Promise<EnrichedClick[]> {
    await tx.query(`CREATE TEMPORARY TABLE arrived_clicks (LIKE clicks)`);
    await tx.copy(`arrived_clicks ${COLUMNS}`, rows, valuesOf);
    const inserted = await tx.query<{ id: number }>(
      `INSERT INTO clicks TABLE arrived_clicks ON CONFLICT (clicked_at, id) DO NOTHING RETURNING id`,
    );
    await tx.query(`DROP TABLE arrived_clicks`);
    const ids = new Set(inserted.map(({ id }) => id));
    // A line that was sent twice may stand twice in one batch: each id is counted once.
    return rows.filter(({ click }) => ids.delete(click.id));
  }
}

/** Clicks that count, and those that de-duplication refused, now or when they were made. */
function split(
  prepared: readonly EnrichedClick[],
  refused: ReadonlySet<number>,
): [accepted: EnrichedClick[], filtered: EnrichedClick[]] {
  const isFiltered = ({ click }: EnrichedClick) => refused.has(click.id) || click.appPage?.counted === false;
  return [prepared.filter((enriched) => !isFiltered(enriched)), prepared.filter(isFiltered)];
}

const COLUMNS = `(
  id, clicked_at, organization_id, target_id, app_id, visitor, dimensions, target_kind, is_bot, custom_id)`;

function valuesOf(row: EnrichedClick): CopyValue[] {
  const { click, dimensions, utm } = row;
  return [
    click.id,
    timestampOf(click.at),
    click.organizationId,
    click.trackedLinkId,
    click.appIds[0] ?? null,
    `\\x${row.visitor}`,
    textArray([...dimensions, ...utm]),
    TRACKED_LINK_KIND[click.kind],
    row.isBot,
    click.customId === null ? null : sanitizeText(click.customId),
  ];
}

let lastTimestamp = { at: NaN, text: '' };

/** Under load, many clicks are of one millisecond. */
function timestampOf(at: number): string {
  if (at !== lastTimestamp.at) lastTimestamp = { at, text: new Date(at).toISOString() };
  return lastTimestamp.text;
}

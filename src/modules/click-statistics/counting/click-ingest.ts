import { Inject, Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GroupCommit } from '../../../common/group-commit';
import { sanitizeText } from '../../../common/sanitize-text';
import { Clock } from '../../../common/time/clock';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import type { CopyValue } from '../../../infrastructure/database/copy-rows';
import { Database } from '../../../infrastructure/database/database';
import { textArray } from '../../../infrastructure/database/sql-arrays';
import type { Tx } from '../../../infrastructure/database/tx';
import { mayBeUniqueViolation } from '../../../infrastructure/database/unique-violation';
import { ClickEffects } from './click-effects';
import { ClickEnricher } from './click-enricher';
import type { EnrichedClick } from '../enriched-click';
import { ClickRollups } from '../rollups/click-rollups';
import { type Click, TRACKED_LINK_KIND } from '../../clicks/click';
import { ClickMetrics } from '../../clicks/observation/click-metrics';
import { DedupLocks } from '../../clicks/dedup-locks';

/** Creating a partition waits for running queries of the parent table. */
const PARTITION_LIMIT_MS = 10_000;

/** Creates the monthly partitions of raw clicks before the first click of a month is written. */
@Injectable()
export class ClickPartitions {
  private readonly known = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Creates missing partitions. @param days UTC, `YYYY-MM-DD` */
  async ensure(days: ReadonlySet<string>): Promise<void> {
    const months = new Set([...days].map((day) => day.slice(0, 7)));
    // Rechecked for past months, whose partition retention may have dropped.
    const current = this.clock.date().toISOString().slice(0, 7);
    for (const month of months) {
      if (month < current || !this.known.has(month)) await this.create(month);
    }
  }

  private async create(month: string): Promise<void> {
    const from = new Date(`${month}-01T00:00:00Z`);
    const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1));
    // IF NOT EXISTS still fails if two processes create the same table concurrently.
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

/** A batch usually takes tenths of a second; a timeout means a lost connection or an overloaded Postgres. */
const BATCH_LIMIT_MS = 5_000;
const MIN_CLICKS = 100;
/** Batches slower than this are halved, because a batch that reaches its limit is rolled back. */
const SLOW_MS = BATCH_LIMIT_MS / 2;
const FAST_MS = BATCH_LIMIT_MS / 4;

/** Runs the transactions that count batches of clicks, and adapts the batch size to their duration. */
@Injectable()
export class CountingTransactions {
  /** Size of the next batch: halved after a slow batch, doubled after a fast one, within limits. */
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
      if (performance.now() - startedAt < FAST_MS) this.resize(2);
      return result;
    } finally {
      if (performance.now() - startedAt > SLOW_MS) this.resize(0.5);
    }
  }

  private resize(factor: number): void {
    this.clicks = Math.min(Math.max(Math.ceil(this.clicks * factor), MIN_CLICKS), this.maxClicks);
  }
}

/** Writes batches of clicks: raw rows, then rollups for the new ones. */
@Injectable()
export class ClickIngest {
  constructor(
    private readonly enricher: ClickEnricher,
    private readonly partitions: ClickPartitions,
    private readonly locks: DedupLocks,
    private readonly rollups: ClickRollups,
    private readonly effects: ClickEffects,
    private readonly metrics: ClickMetrics,
  ) {}

  /** Does the work that needs no transaction, to keep the transaction and its locks short. */
  async prepare(clicks: readonly Click[]): Promise<EnrichedClick[]> {
    const enriched = await this.enricher.enrich(clicks);
    await this.partitions.ensure(new Set(enriched.map(({ day }) => day)));
    return enriched;
  }

  /**
   * Counts clicks in the caller's transaction. Idempotent: clicks that have been counted before change nothing.
   * @returns the number of new clicks
   */
  async ingest(tx: Tx, prepared: readonly EnrichedClick[]): Promise<number> {
    const duplicates = await this.locks.settle(
      tx,
      prepared.filter((enriched) => !enriched.isBot).map((enriched) => enriched.click),
    );
    const [accepted, filtered] = split(prepared, duplicates);
    const fresh = await this.write(tx, accepted);
    if (fresh.length > 0) await this.rollups.add(tx, fresh);
    await this.effects.apply(tx, fresh, filtered);
    tx.afterCommit(() => this.metrics.count(fresh.length, duplicates.size));
    return fresh.length;
  }

  /** @returns the new clicks */
  private async write(tx: Tx, rows: readonly EnrichedClick[]): Promise<readonly EnrichedClick[]> {
    try {
      await tx.attempt(() => tx.copy(`clicks ${COLUMNS}`, rows, valuesOf));
      return rows;
    } catch (error) {
      if (!mayBeUniqueViolation(error)) throw error;
      return this.writeNew(tx, rows);
    }
  }

  /** Slow path for clicks that are delivered again, which happens only after a kill or an outage. */
  private async writeNew(tx: Tx, rows: readonly EnrichedClick[]): Promise<EnrichedClick[]> {
    await tx.query(`CREATE TEMPORARY TABLE arrived_clicks (LIKE clicks)`);
    await tx.copy(`arrived_clicks ${COLUMNS}`, rows, valuesOf);
    const inserted = await tx.query<{ id: number }>(
      `INSERT INTO clicks TABLE arrived_clicks ON CONFLICT DO NOTHING RETURNING id`,
    );
    await tx.query(`DROP TABLE arrived_clicks`);
    const ids = new Set(inserted.map(({ id }) => id));
    // A batch may contain a redelivered click twice, which counts once.
    return rows.filter(({ click }) => ids.delete(click.id));
  }
}

interface Counted {
  readonly clicks: readonly EnrichedClick[];
  /** Removes the clicks from their stream. */
  readonly acknowledge: () => Promise<void>;
}

/**
 * Counts clicks with group commit, so that clicks of other shards that arrive meanwhile share the next transaction:
 * concurrent transactions would wait for each other's row locks, and write more rows of rollups.
 */
@Injectable()
export class GroupCounting {
  private readonly commits = new GroupCommit((counted: readonly Counted[]) => this.commit(counted), {
    // Lets shards whose next clicks are ready join the commit.
    pause: () => nextTurn(),
  });

  constructor(
    private readonly transactions: CountingTransactions,
    private readonly ingest: ClickIngest,
  ) {}

  /**
   * Resolves after the commit and the acknowledgement. Entries whose acknowledgement fails are delivered again.
   * @throws if the transaction fails
   */
  count(clicks: readonly EnrichedClick[], acknowledge: () => Promise<void>): Promise<void> {
    return this.commits.add({ clicks, acknowledge });
  }

  private async commit(counted: readonly Counted[]): Promise<void> {
    const clicks = counted.flatMap((each) => each.clicks);
    await this.transactions.run((tx) => this.ingest.ingest(tx, clicks));
    await Promise.all(counted.map(({ acknowledge }) => acknowledge().catch(() => undefined)));
  }
}

/** Separates clicks that count from those filtered out by de-duplication, here or when they were recorded. */
function split(
  prepared: readonly EnrichedClick[],
  duplicates: ReadonlySet<number>,
): [accepted: EnrichedClick[], filtered: EnrichedClick[]] {
  const isFiltered = ({ click }: EnrichedClick) =>
    duplicates.has(click.id) || click.appPage?.counted === false;
  return [prepared.filter((enriched) => !isFiltered(enriched)), prepared.filter(isFiltered)];
}

const COLUMNS = `(
  id, clicked_at, organization_id, tracked_link_id, app_id, dimensions, kind, is_bot, custom_id, local_day,
  local_visitor)`;

function valuesOf(row: EnrichedClick): CopyValue[] {
  const { click, dimensions, utm, variant } = row;
  return [
    click.id,
    timestampOf(click.at),
    click.organizationId,
    click.trackedLinkId,
    click.appIds[0] ?? null,
    textArray(variant === null ? [...dimensions, ...utm] : [...dimensions, ...utm, variant]),
    TRACKED_LINK_KIND[click.kind],
    row.isBot,
    click.customId === null ? null : sanitizeText(click.customId),
    row.visit.day,
    row.visit.dayVisitor,
  ];
}

let lastTimestamp = { at: NaN, text: '' };

/** The last result is cached, because under load many clicks share a millisecond. */
function timestampOf(at: number): string {
  if (at !== lastTimestamp.at) lastTimestamp = { at, text: new Date(at).toISOString() };
  return lastTimestamp.text;
}

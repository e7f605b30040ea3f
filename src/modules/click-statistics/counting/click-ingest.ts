import { Injectable } from '@nestjs/common';
import { sanitizeText } from '../../../common/sanitize-text';
import type { CopyValue } from '../../../infrastructure/database/copy-rows';
import { textArray } from '../../../infrastructure/database/sql-arrays';
import { mayBeUniqueViolation } from '../../../infrastructure/database/unique-violation';
import { ClickEffects } from './click-effects';
import { ClickEnricher } from './click-enricher';
import type { EnrichedClick } from '../enriched-click';
import { ClickRollups } from '../rollups/click-rollups';
import { type Click, TRACKED_LINK_KIND } from '../../clicks/click';
import { ClickMetrics } from '../../clicks/observation/click-metrics';
import { DedupLocks } from '../../clicks/dedup-locks';
import { ClickPartitions } from './click-partitions';
import type { Tx } from '../../../infrastructure/database/database';

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
    new Date(click.at).toISOString(),
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

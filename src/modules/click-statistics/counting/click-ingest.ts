import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND, type Click } from '../../clicks/click';
import type { CopyValue } from '../../../infrastructure/database/copy-rows';
import { textArray } from '../../../infrastructure/database/sql-arrays';
import { isUniqueViolation } from '../../../infrastructure/database/unique-violation';
import { DedupLocks } from '../../clicks/dedup-locks';
import { ClickEffects } from './click-effects';
import { ClickRollups } from '../rollups/click-rollups';
import { ClickPartitions } from './click-partitions';
import { ClickEnricher, type EnrichedClick } from './enriched-click';
import { sanitizeText } from '../../../common/sanitize-text';
import type { Tx } from '../../../infrastructure/database/tx';

/** Writes batches of clicks: raw rows, and rollups for the rows that were new. */
@Injectable()
export class ClickIngest {
  constructor(
    private readonly enricher: ClickEnricher,
    private readonly partitions: ClickPartitions,
    private readonly claims: DedupLocks,
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
    const refused = await this.claims.settle(
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

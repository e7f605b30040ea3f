import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TARGET_KIND } from '../../common/click-target';
import type { Tx } from '../../infrastructure/database/transactions';
import type { Click } from './click';
import { ClickClaims } from './click-claims';
import { ClickEffects } from './click-effects';
import { ClickFigures } from './click-figures';
import { ClickPartitions } from './click-partitions';
import { ClickEnricher, type EnrichedClick } from './enriched-click';
import { intArray } from './sql-arrays';
import { storable } from './storable';

/** Writes batches of clicks: raw rows, and rollups for the rows that were new. */
@Injectable()
export class ClickIngest {
  constructor(
    private readonly enricher: ClickEnricher,
    private readonly partitions: ClickPartitions,
    private readonly claims: ClickClaims,
    private readonly figures: ClickFigures,
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
    const { manager } = tx;
    const refused = await this.claims.settle(
      manager,
      prepared.filter((enriched) => !enriched.isBot).map((enriched) => enriched.click),
    );
    const [accepted, filtered] = split(prepared, refused);
    const inserted = new Set(await this.insertClicks(manager, accepted));
    // A line that was sent twice may stand twice in one batch: each id is counted once.
    const fresh = accepted.filter(({ click }) => inserted.delete(click.id));
    if (fresh.length > 0) await this.figures.add(manager, fresh);
    await this.effects.apply(tx, fresh, filtered);
    return fresh.length;
  }

  private async insertClicks(manager: EntityManager, rows: readonly EnrichedClick[]): Promise<number[]> {
    const inserted = await manager.query<{ id: number }[]>(INSERT_CLICKS, [
      intArray(rows.map(({ click }) => click.id)),
      intArray(rows.map(({ click }) => click.at)),
      intArray(rows.map(({ click }) => click.organizationId)),
      intArray(rows.map(({ click }) => click.targetId)),
      intArray(rows.map(({ click }) => click.appIds[0] ?? null)),
      `{${rows.map((row) => row.visitor).join(',')}}`,
      intArray(rows.map((row) => row.country)),
      intArray(rows.map((row) => row.browser)),
      intArray(rows.map((row) => row.os)),
      intArray(rows.map((row) => row.deviceType)),
      intArray(rows.map((row) => row.referrer)),
      intArray(rows.map((row) => row.tracker)),
      ...[0, 1, 2, 3].map((i) => intArray(rows.map((row) => row.utm[i] ?? null))),
      intArray(rows.map(({ click }) => TARGET_KIND[click.kind])),
      `{${rows.map((row) => row.isBot).join(',')}}`,
      rows.map(({ click }) => (click.customId === null ? null : storable(click.customId))),
    ]);
    return inserted.map((row) => row.id);
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

// A quotient of floats: one of numerics, rounded to the same, was a tenth of the statement.
const INSERT_CLICKS = `
  INSERT INTO clicks (id, clicked_at, organization_id, target_id, app_id, visitor, country, browser, os, device_type,
                      referrer, tracker, utm_source, utm_medium, utm_term, utm_content, target_kind, is_bot, custom_id)
  SELECT id, to_timestamp(at / 1000::float8), organization_id, target_id, app_id, decode(visitor, 'hex'), country,
         browser, os, device_type, referrer, tracker, utm_source, utm_medium, utm_term, utm_content, target_kind,
         is_bot, custom_id
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::int[], $8::int[],
                $9::int[], $10::int[], $11::int[], $12::int[], $13::int[], $14::int[], $15::int[], $16::int[],
                $17::smallint[], $18::boolean[], $19::text[])
      AS t (id, at, organization_id, target_id, app_id, visitor, country, browser, os, device_type, referrer, tracker,
            utm_source, utm_medium, utm_term, utm_content, target_kind, is_bot, custom_id)
  ON CONFLICT (clicked_at, id) DO NOTHING
  RETURNING id`;

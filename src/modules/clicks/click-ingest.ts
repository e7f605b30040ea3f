import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TARGET_KIND } from '../../common/click-target';
import type { Tx } from '../../infrastructure/database/transactions';
import type { Click } from './click';
import { ClickClaims } from './click-claims';
import { ClickEffects } from './click-effects';
import { ClickMonths } from './click-months';
import { ClickPartitions } from './click-partitions';
import { type DayRollup, rollUp } from './click-rollup';
import { ClickUserRollups } from './click-user-rollups';
import { ClickEnricher, type EnrichedClick } from './enriched-click';
import { intArray, MERGED_TERMS } from './sql-arrays';
import { storable } from './storable';

const SLOTS = 8;

/** Writes batches of clicks: raw rows, and rollups for the rows that were new. */
@Injectable()
export class ClickIngest {
  /** Consumers that run side by side mostly write to different rows of a link's day; reads add the slots up. */
  private readonly slot = randomInt(SLOTS);

  constructor(
    private readonly enricher: ClickEnricher,
    private readonly partitions: ClickPartitions,
    private readonly claims: ClickClaims,
    private readonly months: ClickMonths,
    private readonly users: ClickUserRollups,
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
    if (fresh.length > 0) await this.addUp(manager, fresh);
    await this.effects.apply(tx, fresh, filtered);
    return fresh.length;
  }

  private async addUp(manager: EntityManager, fresh: readonly EnrichedClick[]): Promise<void> {
    const rollups = rollUp(fresh);
    await manager.query(MERGE_DAYS, this.dayParameters(rollups));
    await manager.query(ADD_TOTALS, this.totalParameters(rollups));
    await this.months.addLate(manager, rollups);
    await this.users.add(manager, fresh, this.slot);
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

  private dayParameters(rollups: readonly DayRollup[]): unknown[] {
    return [
      intArray(rollups.map((rollup) => rollup.targetId)),
      intArray(rollups.map((rollup) => TARGET_KIND[rollup.kind])),
      rollups.map((rollup) => rollup.day),
      intArray(rollups.map((rollup) => rollup.clicks)),
      intArray(rollups.map((rollup) => rollup.botClicks)),
      rollups.map((rollup) => intArray([...rollup.terms.keys()])),
      rollups.map((rollup) => intArray([...rollup.terms.values()])),
      this.slot,
    ];
  }

  private totalParameters(rollups: readonly DayRollup[]): unknown[] {
    const totals = new Map<string, DayRollup>();
    for (const rollup of rollups) {
      const key = `${rollup.kind}/${rollup.targetId}`;
      const total = totals.get(key);
      if (!total) totals.set(key, { ...rollup });
      else {
        total.clicks += rollup.clicks;
        total.botClicks += rollup.botClicks;
      }
    }
    const rows = [...totals.values()];
    return [
      intArray(rows.map((row) => row.organizationId)),
      intArray(rows.map((row) => row.targetId)),
      intArray(rows.map((row) => TARGET_KIND[row.kind])),
      intArray(rows.map((row) => row.clicks)),
      intArray(rows.map((row) => row.botClicks)),
      this.slot,
    ];
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

const INSERT_CLICKS = `
  INSERT INTO clicks (id, clicked_at, organization_id, target_id, app_id, visitor, country, browser, os, device_type,
                      referrer, tracker, utm_source, utm_medium, utm_term, utm_content, target_kind, is_bot, custom_id)
  SELECT id, to_timestamp(at / 1000.0), organization_id, target_id, app_id, decode(visitor, 'hex'), country, browser,
         os, device_type, referrer, tracker, utm_source, utm_medium, utm_term, utm_content, target_kind, is_bot, custom_id
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::int[], $8::int[],
                $9::int[], $10::int[], $11::int[], $12::int[], $13::int[], $14::int[], $15::int[], $16::int[],
                $17::smallint[], $18::boolean[], $19::text[])
      AS t (id, at, organization_id, target_id, app_id, visitor, country, browser, os, device_type, referrer, tracker,
            utm_source, utm_medium, utm_term, utm_content, target_kind, is_bot, custom_id)
  ON CONFLICT (clicked_at, id) DO NOTHING
  RETURNING id`;

const MERGE_DAYS = `
  INSERT INTO click_rollups AS stored (target_id, target_kind, day, slot, clicks, bot_clicks, terms, counts)
  SELECT target_id, target_kind, day, $8::smallint, clicks, bot_clicks, terms::int[], counts::int[]
    FROM unnest($1::bigint[], $2::smallint[], $3::date[], $4::int[], $5::int[], $6::text[], $7::text[])
      AS t (target_id, target_kind, day, clicks, bot_clicks, terms, counts)
  ON CONFLICT (target_id, target_kind, day, slot) DO UPDATE
     SET clicks = stored.clicks + excluded.clicks,
         bot_clicks = stored.bot_clicks + excluded.bot_clicks,
         (terms, counts) = (${MERGED_TERMS})`;

const ADD_TOTALS = `
  INSERT INTO click_totals AS stored (organization_id, target_id, target_kind, slot, clicks, bot_clicks)
  SELECT organization_id, target_id, target_kind, $6::smallint, clicks, bot_clicks
    FROM unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::bigint[], $5::bigint[])
      AS t (organization_id, target_id, target_kind, clicks, bot_clicks)
  ON CONFLICT (target_id, target_kind, slot, organization_id) DO UPDATE
     SET clicks = stored.clicks + excluded.clicks, bot_clicks = stored.bot_clicks + excluded.bot_clicks`;

import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { intArray, MERGED_TERMS } from '../clicks/sql-arrays';
import { type FunnelFact, FunnelSums } from './funnel-sums';

const SLOTS = 8;

/** The figures that install statistics read: what is not added here, in the transaction of its fact, is in none. */
@Injectable()
export class FunnelRollups {
  /** Processes mostly write to different rows of a period; reads add the slots up. */
  private readonly slot = randomInt(SLOTS);

  /** Call it once a transaction, as its last statement: rows of a busy campaign are locked until the commit. */
  async add(manager: EntityManager, facts: readonly FunnelFact[]): Promise<void> {
    const sums = new FunnelSums();
    for (const fact of facts) sums.add(fact);
    await this.write(manager, sums);
  }

  /** As `add`, of what has been summed already. */
  async write(manager: EntityManager, sums: FunnelSums): Promise<void> {
    const rows = sums.rows();
    if (rows.length === 0) return;
    await manager.query(MERGE, [
      intArray(rows.map((row) => row.organizationId)),
      intArray(rows.map((row) => row.id)),
      intArray(rows.map((row) => row.startsAt)),
      intArray(rows.map((row) => row.kind)),
      intArray(rows.map((row) => row.minutes)),
      this.slot,
      intArray(rows.map((row) => row.clicks)),
      intArray(rows.map((row) => row.iosInstalls)),
      intArray(rows.map((row) => row.androidInstalls)),
      rows.map((row) => intArray([...row.terms.keys()])),
      rows.map((row) => intArray([...row.terms.values()])),
    ]);
  }
}

const MERGE = `
  INSERT INTO funnel_rollups AS stored (organization_id, subject_id, starts_at, subject_kind, minutes, slot, clicks,
                                        ios_installs, android_installs, terms, counts)
  SELECT organization_id, subject_id, to_timestamp(starts_at / 1000.0), subject_kind, minutes, $6::smallint, clicks,
         ios_installs, android_installs, terms::int[], counts::int[]
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::smallint[], $7::int[], $8::int[],
                $9::int[], $10::text[], $11::text[])
      AS t (organization_id, subject_id, starts_at, subject_kind, minutes, clicks, ios_installs, android_installs,
            terms, counts)
  ON CONFLICT (organization_id, subject_kind, subject_id, minutes, starts_at, slot) DO UPDATE
     SET clicks = stored.clicks + excluded.clicks,
         ios_installs = stored.ios_installs + excluded.ios_installs,
         android_installs = stored.android_installs + excluded.android_installs,
         (terms, counts) = (${MERGED_TERMS})`;

import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND, type DedupLock, type Click } from './click';
import { intArray } from '../../infrastructure/database/sql-arrays';
import type { Tx } from '../../infrastructure/database/tx';

type Claiming = Click & { claim: DedupLock };

/**
 * De-duplication in Postgres, which has the last word: Redis filters fast, but may have been away. An address
 * counts on a tracked link when no other of its clicks lies within the window, before or after.
 */
@Injectable()
export class DedupLocks {
  /** Claims for every unsettled click, in order. @returns ids of the clicks that were refused */
  async settle(tx: Tx, clicks: readonly Click[]): Promise<Set<number>> {
    const refused = new Set<number>();
    let open = clicks.filter((click): click is Claiming => click.claim !== null && !click.claim.settled);
    // One statement can't touch a row twice: clicks of one address go one after the other.
    while (open.length > 0) {
      const round = new Map<string, Claiming>();
      const later: Claiming[] = [];
      for (const click of open) {
        const key = keyOf(click.kind, click.trackedLinkId, click.claim.address);
        const first = round.get(key);
        if (!first) round.set(key, click);
        else if (click.at - first.at < click.claim.windowMs) refused.add(click.id);
        else later.push(click);
      }
      const granted = await this.claim(tx, [...round.values()]);
      for (const [key, click] of round) if (!granted.has(key)) refused.add(click.id);
      open = later;
    }
    return refused;
  }

  private async claim(tx: Tx, clicks: readonly Claiming[]): Promise<Set<string>> {
    const ordered = clicks.toSorted(
      (a, b) => a.trackedLinkId - b.trackedLinkId || a.claim.address.localeCompare(b.claim.address),
    );
    const rows = await tx.query<{ kind: number; trackedLink: number; address: string }>(CLAIM, [
      intArray(ordered.map((click) => click.trackedLinkId)),
      intArray(ordered.map((click) => TRACKED_LINK_KIND[click.kind])),
      ordered.map((click) => click.claim.address),
      intArray(ordered.map((click) => click.id)),
      intArray(ordered.map((click) => click.at)),
      intArray(ordered.map((click) => click.claim.windowMs)),
    ]);
    return new Set(rows.map((row) => `${row.kind}/${row.trackedLink}/${row.address}`));
  }
}

function keyOf(kind: Click['kind'], trackedLinkId: number, address: string): string {
  return `${TRACKED_LINK_KIND[kind]}/${trackedLinkId}/${address}`;
}

// A click older than the claim that stands, by a whole window, counts too; the newer claim stays.
const CLAIM = `
  INSERT INTO click_claims AS held (target_id, target_kind, address, click_id, claimed_at, expires_at)
  SELECT target_id, target_kind, decode(address, 'hex'), click_id,
         to_timestamp(at / 1000.0), to_timestamp((at + window_ms) / 1000.0)
    FROM unnest($1::bigint[], $2::smallint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
      AS t (target_id, target_kind, address, click_id, at, window_ms)
  ON CONFLICT (target_id, target_kind, address) DO UPDATE
     SET click_id = CASE WHEN excluded.claimed_at >= held.claimed_at THEN excluded.click_id ELSE held.click_id END,
         claimed_at = greatest(excluded.claimed_at, held.claimed_at),
         expires_at = greatest(excluded.expires_at, held.expires_at)
   WHERE excluded.claimed_at >= held.claimed_at + (excluded.expires_at - excluded.claimed_at)
      OR excluded.claimed_at <= held.claimed_at - (excluded.expires_at - excluded.claimed_at)
      OR excluded.click_id = held.click_id
  RETURNING target_kind AS kind, target_id AS "trackedLink", encode(address, 'hex') AS address`;

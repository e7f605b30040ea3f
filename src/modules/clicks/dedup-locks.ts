import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND, type DedupLock, type Click } from './click';
import { intArray } from '../../infrastructure/database/sql-arrays';
import type { Tx } from '../../infrastructure/database/database';

/** How long what a client reports again is recognized by its id. */
export const REPEAT_MS = 7 * 86_400_000;

type DedupClick = Click & { dedup: DedupLock };

/**
 * De-duplication in Postgres, which is authoritative; Redis is a fast first filter that may have been down. A click
 * counts if no other counted click of its address on the tracked link is within the window before or after it.
 */
@Injectable()
export class DedupLocks {
  /** Acquires the locks of all unsettled clicks, in order. @returns ids of the clicks that are filtered out */
  async settle(tx: Tx, clicks: readonly Click[]): Promise<Set<number>> {
    const filtered = new Set<number>();
    let open = clicks.filter((click): click is DedupClick => click.dedup !== null && !click.dedup.settled);
    // An upsert cannot change a row twice, so several clicks of one address take several rounds.
    while (open.length > 0) {
      const round = new Map<string, DedupClick>();
      const later: DedupClick[] = [];
      for (const click of open) {
        const key = keyOf(click.kind, click.trackedLinkId, click.dedup.address);
        const first = round.get(key);
        if (!first) round.set(key, click);
        else if (click.at - first.at < click.dedup.windowMs) filtered.add(click.id);
        else later.push(click);
      }
      const granted = await this.acquire(tx, [...round.values()]);
      for (const [key, click] of round) if (!granted.has(key)) filtered.add(click.id);
      open = later;
    }
    return filtered;
  }

  /**
   * Takes the lock of something that a client may report again.
   * @param address keyed hash of the client's id of it
   * @returns false if it has been recorded before
   */
  async claim(
    tx: Tx,
    organizationId: number,
    { kind, id }: { kind: Click['kind']; id: number },
    { address, at }: { address: string; at: number },
  ): Promise<boolean> {
    const times = [new Date(at), new Date(at + REPEAT_MS)];
    const rows = await tx.query(CLAIM, [organizationId, id, TRACKED_LINK_KIND[kind], address, ...times]);
    return rows.length > 0;
  }

  private async acquire(tx: Tx, clicks: readonly DedupClick[]): Promise<Set<string>> {
    // Sorted by key to avoid deadlocks.
    const ordered = clicks.toSorted(
      (a, b) => a.trackedLinkId - b.trackedLinkId || a.dedup.address.localeCompare(b.dedup.address),
    );
    const rows = await tx.query<{ kind: number; trackedLink: number; address: string }>(ACQUIRE, [
      intArray(ordered.map((click) => click.trackedLinkId)),
      intArray(ordered.map((click) => TRACKED_LINK_KIND[click.kind])),
      ordered.map((click) => click.dedup.address),
      intArray(ordered.map((click) => click.id)),
      intArray(ordered.map((click) => click.at)),
      intArray(ordered.map((click) => click.dedup.windowMs)),
      intArray(ordered.map((click) => click.organizationId)),
    ]);
    return new Set(rows.map((row) => `${row.kind}/${row.trackedLink}/${row.address}`));
  }
}

function keyOf(kind: Click['kind'], trackedLinkId: number, address: string): string {
  return `${TRACKED_LINK_KIND[kind]}/${trackedLinkId}/${address}`;
}

const CLAIM = `
  INSERT INTO dedup_locks (organization_id, tracked_link_id, kind, address, click_id, locked_at, expires_at)
  VALUES ($1, $2, $3, decode($4, 'hex'), 0, $5, $6)
  ON CONFLICT DO NOTHING RETURNING kind`;

// A click more than a window before the stored one counts as well, but does not replace it.
const ACQUIRE = `
  INSERT INTO dedup_locks AS held (organization_id, tracked_link_id, kind, address, click_id, locked_at, expires_at)
  SELECT organization_id, tracked_link_id, kind, decode(address, 'hex'), click_id,
         to_timestamp(at / 1000.0), to_timestamp((at + window_ms) / 1000.0)
    FROM unnest($1::bigint[], $2::smallint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
      AS t (tracked_link_id, kind, address, click_id, at, window_ms, organization_id)
  ON CONFLICT (organization_id, tracked_link_id, kind, address) DO UPDATE
     SET click_id = CASE WHEN excluded.locked_at >= held.locked_at THEN excluded.click_id ELSE held.click_id END,
         locked_at = greatest(excluded.locked_at, held.locked_at),
         expires_at = greatest(excluded.expires_at, held.expires_at)
   WHERE excluded.locked_at - held.locked_at >= excluded.expires_at - excluded.locked_at
      OR held.locked_at - excluded.locked_at >= excluded.expires_at - excluded.locked_at
      OR excluded.click_id = held.click_id
  RETURNING kind, tracked_link_id AS "trackedLink", encode(address, 'hex') AS address`;

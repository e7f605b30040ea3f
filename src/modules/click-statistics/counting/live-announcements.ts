import { Injectable } from '@nestjs/common';
import type { CopyValue } from '../../../infrastructure/database/copy-rows';
import { intArray, textArray } from '../../../infrastructure/database/sql-arrays';
import type { EnrichedClick } from '../enriched-click';
import type { Tx } from '../../../infrastructure/database/database';

/** Clicks per announcement, and so the number that listeners read at once. */
const ANNOUNCED = 100;
const LISTENED = {
  name: 'live_feeds.listened',
  text: 'SELECT organization_id AS id FROM live_feeds WHERE organization_id = ANY($1::bigint[]) AND expires_at > now()',
};

/**
 * Announces counted clicks to organizations with listeners, in the transaction that counts them
 * (docs/adr/0046-live-clicks-are-read-by-snapshots.md). Without listeners, a batch costs one look-up.
 */
@Injectable()
export class LiveAnnouncements {
  /** @param counted new clicks */
  async add(tx: Tx, counted: readonly EnrichedClick[]): Promise<void> {
    if (counted.length === 0) return;
    const organizations = new Set(counted.map(({ click }) => click.organizationId));
    const listened = await tx.query<{ id: number }>(LISTENED, [intArray([...organizations])]);
    const parts = listened.flatMap(({ id }) => {
      const clicks = counted.filter(({ click }) => click.organizationId === id);
      return chunksOf(clicks, ANNOUNCED).map((chunk) => ({ id, chunk }));
    });
    if (parts.length === 0) return;
    const rows = parts.map(({ id, chunk }, i): CopyValue[] => [
      id,
      i + 1,
      intArray(chunk.map(({ click }) => click.id)),
      textArray(chunk.map(({ click }) => new Date(click.at).toISOString())),
    ]);
    await tx.copy('live_batches (organization_id, part, ids, times)', rows, (row) => row);
  }
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

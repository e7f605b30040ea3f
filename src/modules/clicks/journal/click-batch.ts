import { type Click, decodeClick, encodeClick } from '../click';

/** Clicks that are kept together, of one shard. */
export interface ClickBatch {
  readonly shard: number;
  /** Encoded clicks that count in any case. */
  readonly lines: string[];
  /** Clicks that count only if their claim is granted. */
  readonly claiming: Click[];
}

/** The ids of those clicks of a batch that a claim filtered out. */
export type Filtered = ReadonlySet<number>;

export const NONE_FILTERED: Filtered = new Set();

/** Every click of a batch, encoded; those with a claim still ask for it. */
export function linesOf({ lines, claiming }: ClickBatch): string[] {
  return claiming.length === 0 ? lines : [...lines, ...claiming.map(encodeClick)];
}

/** Batches out of lines that were kept elsewhere before. */
export function batchesOf(lines: readonly string[], shardOf: (targetId: number) => number): ClickBatch[] {
  const batches = new Map<number, ClickBatch>();
  for (const line of lines) {
    const click = decodeClick(line);
    const shard = shardOf(click.targetId);
    const batch = batches.get(shard) ?? { shard, lines: [], claiming: [] };
    if (click.claim && !click.claim.settled) batch.claiming.push(click);
    else batch.lines.push(line);
    batches.set(shard, batch);
  }
  return [...batches.values()];
}

import { HotCounter } from '../../../infrastructure/metrics/hot-counters';
import type { Metrics } from '../../../infrastructure/metrics/metrics';

export const STORES = ['redis', 'postgres', 'spool'] as const;
export type Store = (typeof STORES)[number];

/** Counters that the counting thread writes and the main thread reports. */
export interface CountedMemory {
  readonly counted: SharedArrayBuffer;
  readonly filtered: SharedArrayBuffer;
}

export class ClickMetrics {
  private readonly journaled = new HotCounter(
    'waypost_clicks_journaled_total',
    'Clicks stored, by the first store',
    { store: STORES },
  );
  private readonly refused = new HotCounter('waypost_clicks_refused_total', 'Clicks that no store took', {});
  private readonly counted: HotCounter<never>;
  private readonly filtered: HotCounter<'at'>;

  /** @param memory on the counting thread, that of the main thread */
  constructor(
    readonly memory: CountedMemory = {
      counted: new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT),
      filtered: new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT),
    },
  ) {
    this.counted = new HotCounter('waypost_clicks_counted_total', 'Clicks counted', {}, memory.counted);
    this.filtered = new HotCounter(
      'waypost_clicks_filtered_total',
      'Clicks that de-duplication filtered out, when they were stored or when they were counted',
      { at: ['store', 'count'] },
      memory.filtered,
    );
  }

  register(metrics: Metrics): void {
    for (const counter of [this.journaled, this.refused, this.counted, this.filtered]) {
      metrics.register(counter);
    }
  }

  stored(store: Store, clicks: number): void {
    add(this.journaled, STORES.indexOf(store), clicks);
  }

  /** Counts clicks filtered out before they were stored. */
  filter(clicks: number): void {
    add(this.filtered, 0, clicks);
  }

  refuse(clicks: number): void {
    add(this.refused, 0, clicks);
  }

  /** Called on the counting thread. */
  count(clicks: number, filtered: number): void {
    add(this.counted, 0, clicks);
    add(this.filtered, 1, filtered);
  }
}

function add({ counts }: HotCounter<string>, index: number, clicks: number): void {
  counts[index] = (counts[index] ?? 0) + clicks;
}

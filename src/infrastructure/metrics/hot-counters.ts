/** A sample in Prometheus' text format, as prom-client takes it. */
export interface Sample {
  /** Defaults to the name of the series. */
  metricName?: string;
  labels: Readonly<Record<string, string | number>>;
  value: number;
}

export interface Series {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly values: readonly Sample[];
}

/**
 * A counter for hot paths, on which a look-up of labels would cost more than the work: an array with one number per
 * combination of label values.
 */
export class HotCounter<Label extends string> {
  /** Incremented directly: `counts[index]++`. */
  readonly counts: Float64Array;
  private readonly labels: readonly (readonly [Label, readonly string[]])[];

  /**
   * @param values the values of each label
   * @param memory shared by threads, each of which counts other combinations; private by default
   */
  constructor(
    readonly name: string,
    private readonly help: string,
    values: Readonly<Record<Label, readonly string[]>>,
    memory?: SharedArrayBuffer,
  ) {
    this.labels = Object.entries(values) as [Label, readonly string[]][];
    const size = this.labels.reduce((product, [, each]) => product * each.length, 1);
    this.counts = memory ? new Float64Array(memory, 0, size) : new Float64Array(size);
  }

  /** Index of a combination of label values. Look it up once, outside of the hot path. */
  index(labels: Readonly<Record<Label, string>>): number {
    return this.labels.reduce((index, [label, values]) => {
      const valueIndex = values.indexOf(labels[label]);
      if (valueIndex === -1) throw new Error(`${this.name} has no ${label} "${labels[label]}"`);
      return index * values.length + valueIndex;
    }, 0);
  }

  get(): Series {
    const { name, help } = this;
    return {
      name,
      help,
      type: 'counter',
      values: Array.from(this.counts, (value, i) => ({ labels: this.at(i), value })),
    };
  }

  private at(index: number): Record<string, string> {
    const labels: [string, string][] = [];
    for (const [label, values] of this.labels.toReversed()) {
      labels.unshift([label, values[index % values.length] ?? '']);
      index = Math.floor(index / values.length);
    }
    return Object.fromEntries(labels);
  }
}

/** A histogram for hot paths, without labels. */
export class HotHistogram {
  /** Observations by bucket, not cumulative; the last bucket has no upper bound. */
  private readonly counts: Float64Array;
  private sum = 0;

  /** @param bounds upper bounds of the buckets, ascending */
  constructor(
    readonly name: string,
    private readonly help: string,
    private readonly bounds: readonly number[],
  ) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++;
    (counts[bucket] as number)++;
    this.sum += value;
  }

  get(): Series {
    const { name, help, bounds, sum } = this;
    let count = 0;
    const values: Sample[] = [...this.counts].map((each, i) => {
      count += each;
      return { metricName: `${name}_bucket`, labels: { le: bounds[i] ?? '+Inf' }, value: count };
    });
    values.push({ metricName: `${name}_sum`, labels: {}, value: sum });
    values.push({ metricName: `${name}_count`, labels: {}, value: count });
    return { name, help, type: 'histogram', values };
  }
}

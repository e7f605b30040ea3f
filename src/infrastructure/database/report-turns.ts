/** Reports of one organization: how many run, and those that wait, the first one first. */
interface Queue {
  running: number;
  readonly waiting: Set<() => void>;
}

/**
 * Turns of reports: at most `size` of an organization run at a time, so that others find free connections in the pool
 * (docs/scaling.md#connections).
 */
export class ReportTurns {
  private readonly queues = new Map<number, Queue>();

  /** @param waitMs the longest that a report waits, which also bounds how many do */
  constructor(
    private readonly size: number,
    private readonly waitMs: number,
  ) {}

  /** The number of reports that wait. */
  get waiting(): number {
    return [...this.queues.values()].reduce((sum, { waiting }) => sum + waiting.size, 0);
  }

  /** Runs `work`, which takes no turn itself. @throws what a pool without a free connection throws, after `waitMs` */
  async run<T>(organizationId: number, work: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(organizationId) ?? { running: 0, waiting: new Set() };
    this.queues.set(organizationId, queue);
    if (queue.running < this.size) queue.running++;
    else await this.turn(queue);
    try {
      return await work();
    } finally {
      const [next] = queue.waiting;
      if (next) next();
      else if (--queue.running === 0) this.queues.delete(organizationId);
    }
  }

  /** Waits until a report that ends passes its turn on. */
  private turn({ waiting }: Queue): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(limit);
        waiting.delete(start);
        resolve();
      };
      const limit = setTimeout(() => {
        waiting.delete(start);
        reject(new Error(`Timed out after ${this.waitMs} ms, in which no report of the organization ended`));
      }, this.waitMs);
      waiting.add(start);
    });
  }
}

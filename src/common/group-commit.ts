interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Options {
  readonly max?: number;
  /** Runs after each commit. @param items number of items in the commit @param startedAt on the monotonic clock */
  readonly pause?: (items: number, startedAt: number) => Promise<unknown>;
  /** Whether the items of a commit that failed with this error are retried one by one. */
  readonly separates?: (error: unknown) => boolean;
}

/**
 * Group commit: one commit runs at a time, and items that arrive meanwhile share the next one, so that commits grow
 * with the load.
 */
export class GroupCommit<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private committing = false;

  /** @param commit stores a batch; its result or error is that of every item */
  constructor(
    private readonly commit: (items: readonly Item[]) => Promise<Result>,
    private readonly options: Options = {},
  ) {}

  /** @returns the result of the commit that includes the item @throws its error */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.committing) void this.commitAll();
    });
  }

  private async commitAll(): Promise<void> {
    const { max = Infinity, pause } = this.options;
    this.committing = true;
    while (this.waiting.length > 0) {
      const startedAt = performance.now();
      const taken = this.waiting.splice(0, max);
      await this.settle(taken);
      if (pause) await pause(taken.length, startedAt);
    }
    this.committing = false;
  }

  private async settle(taken: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const result = await this.commit(taken.map(({ item }) => item));
      for (const { resolve } of taken) resolve(result);
    } catch (error) {
      if (taken.length > 1 && this.options.separates?.(error))
        for (const one of taken) await this.settle([one]);
      else for (const { reject } of taken) reject(error);
    }
  }
}

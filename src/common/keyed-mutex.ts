/** Runs tasks with the same key one after the other, in the order of the calls. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>();

  /** @param key null runs the task immediately */
  async run<T>(key: string | null, work: () => Promise<T>): Promise<T> {
    if (key === null) return work();
    const before = this.last.get(key);
    const turn = before ? before.then(work, work) : work();
    this.last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.last.get(key) === turn) this.last.delete(key);
    }
  }
}

/** Storage for one app: localStorage, or memory where that is unavailable. */
export class Store {
  private readonly memory = new Map<string, string>();

  /** @param prefix of every key, which separates apps on the same site */
  constructor(private readonly prefix: string) {}

  /** @returns null if the key is not set */
  get(key: string): unknown {
    const name = this.prefix + key;
    // Memory has values that did not fit into localStorage, so they are newer.
    const text = this.memory.get(name) ?? attempt(() => localStorage.getItem(name)) ?? null;
    return text === null ? null : (attempt(() => JSON.parse(text) as unknown) ?? null);
  }

  set(key: string, value: unknown): void {
    const name = this.prefix + key;
    const text = JSON.stringify(value);
    const stored = attempt(() => {
      localStorage.setItem(name, text);
      return true;
    });
    if (stored) this.memory.delete(name);
    else this.memory.set(name, text);
  }

  remove(key: string): void {
    this.memory.delete(this.prefix + key);
    attempt(() => localStorage.removeItem(this.prefix + key));
  }

  /** Sorted keys with this prefix. */
  keys(begin: string): string[] {
    const names = attempt(() => Object.keys(localStorage)) ?? [];
    const all = new Set([...names, ...this.memory.keys()]);
    return [...all]
      .filter((name) => name.startsWith(this.prefix + begin))
      .map((name) => name.slice(this.prefix.length))
      .sort();
  }
}

/** Storage throws if it is full, disabled or forbidden to this frame. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

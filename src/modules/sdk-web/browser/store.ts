/** What is kept in this browser for one app: in localStorage, or for as long as the page lives where there is none. */
export class Store {
  private readonly memory = new Map<string, string>();

  /** @param prefix of every key, so that apps on one site stay apart */
  constructor(private readonly prefix: string) {}

  /** @returns null when there is nothing of that key */
  get(key: string): unknown {
    const name = this.prefix + key;
    // What did not fit is newer than what is stored.
    const text = this.memory.get(name) ?? attempt(() => localStorage.getItem(name)) ?? null;
    return text === null ? null : (attempt(() => JSON.parse(text) as unknown) ?? null);
  }

  set(key: string, value: unknown): void {
    const name = this.prefix + key;
    const text = JSON.stringify(value);
    const kept = attempt(() => {
      localStorage.setItem(name, text);
      return true;
    });
    if (kept) this.memory.delete(name);
    else this.memory.set(name, text);
  }

  remove(key: string): void {
    this.memory.delete(this.prefix + key);
    attempt(() => localStorage.removeItem(this.prefix + key));
  }

  /** Keys that begin so, in their order. */
  keys(begin: string): string[] {
    const names = attempt(() => Object.keys(localStorage)) ?? [];
    const all = new Set([...names, ...this.memory.keys()]);
    return [...all]
      .filter((name) => name.startsWith(this.prefix + begin))
      .map((name) => name.slice(this.prefix.length))
      .sort();
  }
}

/** Browsers refuse their storage in many ways: full, switched off, or forbidden to this frame. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

import type { KeyValueStorage } from './types';

/**
 * Values of one app: in memory, and written behind to a storage that may be slow, full or broken. Values that do not
 * fit stay in memory and are tried again with the next write.
 */
export class Store {
  private readonly values = new Map<string, string>();
  private readonly unsaved = new Set<string>();
  private readonly failed = new Set<string>();
  private writing: Promise<void> | null = null;
  private hasWarned = false;
  /** Whether storage has told what it holds. */
  isReadable = false;

  /** @param prefix of every key, which separates apps */
  constructor(
    private readonly storage: KeyValueStorage,
    private readonly prefix: string,
  ) {}

  /** Reads what an earlier start has stored. */
  async load(): Promise<void> {
    try {
      for (const key of await this.storage.keys()) {
        if (!key.startsWith(this.prefix)) continue;
        const text = await this.storage.getItem(key);
        if (text !== null) this.values.set(key.slice(this.prefix.length), text);
      }
      this.isReadable = true;
    } catch (error) {
      this.warn(error);
    }
  }

  /** @returns null if the key is not set */
  get(key: string): unknown {
    const text = this.values.get(key);
    if (text === undefined) return null;
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  }

  /** Keys with this beginning, in order. */
  keys(begin: string): string[] {
    return [...this.values.keys()].filter((key) => key.startsWith(begin)).sort();
  }

  /** Resolves once the value is stored, or storage has failed. */
  set(key: string, value: unknown): Promise<void> {
    this.values.set(key, JSON.stringify(value));
    return this.save(key);
  }

  remove(key: string): Promise<void> {
    this.values.delete(key);
    return this.save(key);
  }

  private save(key: string): Promise<void> {
    for (const again of this.failed) this.unsaved.add(again);
    this.failed.clear();
    this.unsaved.add(key);
    this.writing ??= this.write();
    return this.writing;
  }

  /** Writes one key after the other, so that no older value overwrites a newer one. */
  private async write(): Promise<void> {
    for (const key of this.unsaved) {
      this.unsaved.delete(key);
      const name = this.prefix + key;
      const text = this.values.get(key);
      try {
        await (text === undefined ? this.storage.removeItem(name) : this.storage.setItem(name, text));
      } catch (error) {
        this.failed.add(key);
        this.warn(error);
      }
    }
    this.writing = null;
  }

  private warn(error: unknown): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    console.warn('[Waypost] Storage fails; calls that are not sent are lost when the app ends.', error);
  }
}

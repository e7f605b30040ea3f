import type { Store } from './store';

/** Tabs may be processes of their own, and see each other's storage a moment later. */
const SETTLE_MS = 200;
/** A tab that says nothing for so long is gone. */
const LEASE_MS = 15_000;

interface Lease {
  tab: string;
  until: number;
}

/** Lets one tab at a time do what all tabs of the app share. */
export class OneTab {
  private last: Promise<unknown> = Promise.resolve();
  private readonly tab = Math.random().toString(36).slice(2);

  constructor(
    private readonly name: string,
    private readonly store: Store,
  ) {}

  /** Runs `work` when no other tab, and nothing else here, runs any; the next one sees what it has stored. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const turn = () => work().then(resolve, reject).then(settled);
      // In secure contexts the browser does it; `locks` is missing elsewhere, whatever the types say.
      const locks = navigator.locks as LockManager | undefined;
      if (locks) locks.request(this.name, turn).catch(reject);
      else this.last = this.last.then(() => this.leased(turn));
    });
  }

  private async leased(turn: () => Promise<void>): Promise<void> {
    while (!(await this.take())) await settled();
    await turn();
    if (this.lease?.tab === this.tab) this.store.remove('lease');
  }

  /** Two tabs may take it at once: who wrote last has it. */
  private async take(): Promise<boolean> {
    const { lease } = this;
    if (lease && lease.tab !== this.tab && lease.until > Date.now()) return false;
    this.store.set('lease', { tab: this.tab, until: Date.now() + LEASE_MS } satisfies Lease);
    await settled();
    return this.lease?.tab === this.tab;
  }

  private get lease(): Lease | null {
    return this.store.get('lease') as Lease | null;
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

import type { Store } from './store';

/** Delay before the lease is read back: tabs in separate processes see each other's storage late. */
const SETTLE_MS = 200;
/** Lease of a tab; a tab that does not renew it counts as closed. */
const LEASE_MS = 15_000;

interface Lease {
  tab: string;
  until: number;
}

/** A mutex across the tabs of an app. */
export class OneTab {
  private last: Promise<unknown> = Promise.resolve();
  private readonly tab = Math.random().toString(36).slice(2);

  constructor(
    private readonly name: string,
    private readonly store: Store,
  ) {}

  /** Runs `work` exclusively, across tabs and within this one; the next holder sees what it has stored. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const turn = () => work().then(resolve, reject).then(settled);
      // Despite its type, `navigator.locks` exists in secure contexts only.
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

  /** If two tabs take the lease at once, the last writer has it. */
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

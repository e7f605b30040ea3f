import type { Store } from './store';

/** A tab that says nothing for so long is gone. */
const LEASE_MS = 15_000;
const LOOK_EVERY_MS = 200;

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

  /** Runs `work` when no other tab, and nothing else here, runs any. */
  run<T>(work: () => Promise<T>): Promise<T> {
    // In secure contexts the browser does it; `locks` is missing elsewhere, whatever the types say.
    const locks = navigator.locks as LockManager | undefined;
    if (locks) return locks.request(this.name, work);
    const turn = this.last.then(() => this.leased(work));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** Not airtight: two tabs may take the lease in the same moment. What they send is made to be sent twice. */
  private async leased<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      const lease = this.store.get('lease') as Lease | null;
      if (!lease || lease.tab === this.tab || lease.until < Date.now()) break;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    this.store.set('lease', { tab: this.tab, until: Date.now() + LEASE_MS } satisfies Lease);
    try {
      return await work();
    } finally {
      if ((this.store.get('lease') as Lease | null)?.tab === this.tab) this.store.remove('lease');
    }
  }
}

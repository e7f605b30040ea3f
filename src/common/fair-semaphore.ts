import { FairSlots } from './fair-slots';

/**
 * A semaphore whose slots organizations share: at most `size` tasks run at once, and half as many of an organization that
 * is alone. Its further tasks wait in their order, and organizations take turns (docs/scaling.md#shares-of-organizations).
 */
export class FairSemaphore {
  private readonly slots: FairSlots;

  /** @param waitMs timeout of waiting tasks; without it, they wait for as long as it takes */
  constructor(
    size: number,
    private readonly waitMs?: number,
  ) {
    this.slots = new FairSlots(size);
  }

  /** Number of tasks that wait. */
  get queued(): number {
    return this.slots.waiting;
  }

  queuedOf(organizationId: number): number {
    return this.slots.waitingOf(organizationId);
  }

  /**
   * Runs `work`, which runs no task itself.
   * @throws what a pool without a free connection throws, after `waitMs`
   */
  async run<T>(organizationId: number, work: () => Promise<T>): Promise<T> {
    if (this.slots.take(organizationId, 1) === 0) await this.turn(organizationId);
    try {
      return await work();
    } finally {
      this.slots.release(organizationId, 1);
    }
  }

  private turn(organizationId: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.slots.leave(organizationId, resolve);
        reject(new Error(`Timed out after ${this.waitMs} ms, in which no task of the organization ended`));
      };
      const limit = this.waitMs === undefined ? undefined : setTimeout(giveUp, this.waitMs);
      this.slots.wait(organizationId, resolve, () => {
        this.slots.take(organizationId, 1);
        clearTimeout(limit);
        resolve();
      });
    });
  }
}

import { FairSlots } from './fair-slots';

/**
 * A semaphore shared by organizations: at most `size` tasks run at once, and at most half as many if they are all of
 * one organization. Further tasks wait in order, and organizations take turns
 * (docs/scaling.md#shares-of-organizations).
 */
export class FairSemaphore {
  private readonly slots: FairSlots;

  /** @param waitMs timeout of waiting tasks; unlimited by default */
  constructor(
    size: number,
    private readonly waitMs?: number,
  ) {
    this.slots = new FairSlots(size);
  }

  get queued(): number {
    return this.slots.waiting;
  }

  queuedOf(organizationId: number): number {
    return this.slots.waitingOf(organizationId);
  }

  /**
   * Runs `work`, which must not call `run` itself.
   * @throws the error of a pool without a free connection, after `waitMs`
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

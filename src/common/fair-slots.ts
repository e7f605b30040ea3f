/**
 * Slots that organizations share. An organization gets some while it holds fewer than are free: half of them if it is
 * alone, and others always find some, however long it holds its own. Whoever finds none can wait; organizations are
 * woken in turn.
 */
export class FairSlots {
  /** Slots by organization. */
  private readonly held = new Map<number, number>();
  /** Waiters by organization and key. The order of both maps is the order of turns. */
  private readonly queues = new Map<number, Map<unknown, () => void>>();

  constructor(private free: number) {}

  /** Number of waiters. */
  get waiting(): number {
    return [...this.queues.values()].reduce((sum, { size }) => sum + size, 0);
  }

  waitingOf(organizationId: number): number {
    return this.queues.get(organizationId)?.size ?? 0;
  }

  /** @returns how many slots the organization got, possibly none */
  take(organizationId: number, wanted: number): number {
    const taken = Math.min(wanted, this.share(organizationId));
    this.hold(organizationId, taken);
    return taken;
  }

  release(organizationId: number, slots: number): void {
    this.hold(organizationId, -slots);
    for (let wake = this.next(); wake; wake = this.next()) wake();
  }

  /**
   * Adds a waiter, in place of the one with the same key.
   * @param wake takes what it needs at once, or not at all
   */
  wait(organizationId: number, key: unknown, wake: () => void): void {
    const queue = this.queues.get(organizationId) ?? new Map<unknown, () => void>();
    this.queues.set(organizationId, queue.set(key, wake));
  }

  /** Removes a waiter. */
  leave(organizationId: number, key: unknown): void {
    const queue = this.queues.get(organizationId);
    queue?.delete(key);
    if (queue?.size === 0) this.queues.delete(organizationId);
  }

  /** How many more slots an organization may take, so that afterwards as many are free as it holds. */
  private share(organizationId: number): number {
    return Math.max(0, Math.ceil((this.free - (this.held.get(organizationId) ?? 0)) / 2));
  }

  private hold(organizationId: number, slots: number): void {
    this.free -= slots;
    const held = (this.held.get(organizationId) ?? 0) + slots;
    if (held > 0) this.held.set(organizationId, held);
    else this.held.delete(organizationId);
  }

  /** Takes out the waiter whose turn it is; its organization goes behind the others. */
  private next(): (() => void) | null {
    for (const [organizationId, queue] of this.queues) {
      const [first] = queue;
      if (!first || this.share(organizationId) === 0) continue;
      const [key, wake] = first;
      queue.delete(key);
      this.queues.delete(organizationId);
      if (queue.size > 0) this.queues.set(organizationId, queue);
      return wake;
    }
    return null;
  }
}

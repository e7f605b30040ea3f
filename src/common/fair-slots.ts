/**
 * Slots shared by organizations. An organization may take slots while it holds fewer than are free: alone it gets half
 * of them, and others always find some, however long it holds its own. Without a free slot, callers can wait;
 * organizations are woken in turn.
 */
export class FairSlots {
  /** Number of slots by organization. */
  private readonly held = new Map<number, number>();
  /** Waiters by organization and key, in the order of turns. */
  private readonly queues = new Map<number, Map<unknown, () => void>>();

  constructor(private free: number) {}

  get waiting(): number {
    return [...this.queues.values()].reduce((sum, { size }) => sum + size, 0);
  }

  waitingOf(organizationId: number): number {
    return this.queues.get(organizationId)?.size ?? 0;
  }

  /** @returns the number of slots taken, which may be 0 */
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
   * Adds a waiter, replacing the one with the same key.
   * @param wake called when slots are free; takes them synchronously, if at all
   */
  wait(organizationId: number, key: unknown, wake: () => void): void {
    const queue = this.queues.get(organizationId) ?? new Map<unknown, () => void>();
    this.queues.set(organizationId, queue.set(key, wake));
  }

  leave(organizationId: number, key: unknown): void {
    const queue = this.queues.get(organizationId);
    queue?.delete(key);
    if (queue?.size === 0) this.queues.delete(organizationId);
  }

  /** How many more slots an organization may take, so that afterwards it holds no more than are free. */
  private share(organizationId: number): number {
    return Math.max(0, Math.ceil((this.free - (this.held.get(organizationId) ?? 0)) / 2));
  }

  private hold(organizationId: number, slots: number): void {
    this.free -= slots;
    const held = (this.held.get(organizationId) ?? 0) + slots;
    if (held > 0) this.held.set(organizationId, held);
    else this.held.delete(organizationId);
  }

  /** Removes the waiter whose turn it is, and moves its organization to the end of the order. */
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

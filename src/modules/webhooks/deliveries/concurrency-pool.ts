/** Room for attempts that run at once. Endpoints that find none come in turn when there is some. */
export class DeliveryLane {
  private readonly waiting = new Set<number>();

  constructor(
    private free: number,
    private readonly wake: (endpointId: number) => void,
  ) {}

  /** @returns how many of the slots the endpoint got; with none, it is woken when there are some */
  take(endpointId: number, wanted: number): number {
    const taken = Math.min(wanted, this.free);
    this.free -= taken;
    if (taken === 0 && wanted > 0) this.waiting.add(endpointId);
    return taken;
  }

  give(slots: number): void {
    this.free += slots;
    for (const endpointId of [...this.waiting].slice(0, this.free)) {
      this.waiting.delete(endpointId);
      this.wake(endpointId);
    }
  }
}

/** Attempts at once of an endpoint: of one that answers, of a slow one, and of one that only fails. */
const MOST = 10;
const MOST_SLOW = 4;
const MOST_OPEN = 1;
/** Failures in a row that open the circuit. */
const OPENS_AT = 5;

/** What this process knows of an endpoint: how it does, and what runs. Forgotten when nothing is to be known. */
export class EndpointState {
  running = 0;
  /** Whether a look for due deliveries is under way. */
  looking = false;
  /** More may be due than there was room for. */
  more = false;
  /** It took more than its time lately: it gets slots among its like alone. */
  slow = false;
  /** It is looked at again after its rest. */
  resting = false;
  private asked = false;
  private failures = 0;
  private restsUntil = -Infinity;

  constructor(readonly endpointId: number) {}

  /** Asks for a look, another one where one is under way. */
  ask(): void {
    this.asked = true;
  }

  /** @returns whether somebody has asked */
  heed(): boolean {
    const { asked } = this;
    this.asked = false;
    return asked;
  }

  /** How many attempts more it may have at the moment. */
  get room(): number {
    const most = this.failures >= OPENS_AT ? MOST_OPEN : this.slow ? MOST_SLOW : MOST;
    return this.rest > 0 ? 0 : Math.max(0, most - this.running);
  }

  /** Milliseconds until it is called again. */
  get rest(): number {
    return Math.max(0, this.restsUntil - performance.now());
  }

  get idle(): boolean {
    return this.running === 0 && !this.looking && !this.slow && this.failures === 0;
  }

  /**
   * An attempt has ended. While the circuit is open there is one at a time, and between two the endpoint rests for as
   * long as the last one took: one that refuses at once costs nothing to ask, one that hangs does.
   */
  ended(delivered: boolean, tookMs: number, slowFromMs: number): void {
    this.slow = tookMs >= slowFromMs;
    this.failures = delivered ? 0 : this.failures + 1;
    if (this.failures >= OPENS_AT) this.restsUntil = performance.now() + tookMs;
  }
}

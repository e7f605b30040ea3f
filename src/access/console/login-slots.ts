import { RateLimited } from '../access.errors';

/**
 * Verifying a password takes a thread for an eighth of a second, so few run at once and the queue stays
 * short.
 */
const MAX_RUNNING = 2;
const MAX_WAITING = 20;
const MAX_WAITING_PER_NETWORK = 10;

interface Waiting {
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Limits concurrent logins. Networks take turns, and within a network the newest goes first, so that a crowd
 * delays nobody elsewhere; if too many wait, the oldest is rejected.
 */
export class LoginSemaphore {
  private running = 0;
  /** By network, in the order of their turns; oldest first within a network. */
  private readonly waiting = new Map<string, Waiting[]>();

  /** @throws RateLimited if it was rejected, without having started `work` */
  async run<T>(network: string, work: () => Promise<T>): Promise<T> {
    if (this.running < MAX_RUNNING) this.running++;
    else await this.wait(network);
    try {
      return await work();
    } finally {
      this.next();
    }
  }

  private wait(network: string): Promise<void> {
    return new Promise((start, reject) => {
      const line = this.waiting.get(network) ?? [];
      line.push({ start, reject });
      this.waiting.set(network, line);
      if (line.length > MAX_WAITING_PER_NETWORK) this.rejectOldest(network, line);
      else if (this.count() > MAX_WAITING) this.rejectOldest(...this.longest());
    });
  }

  private next(): void {
    const [turn] = this.waiting;
    if (!turn) {
      this.running--;
      return;
    }
    const [network, line] = turn;
    const newest = line.pop();
    this.waiting.delete(network);
    if (line.length > 0) this.waiting.set(network, line);
    newest?.start();
  }

  private rejectOldest(network: string, line: Waiting[]): void {
    line.shift()?.reject(new RateLimited(1, 'Too many concurrent logins'));
    if (line.length === 0) this.waiting.delete(network);
  }

  private count(): number {
    return [...this.waiting.values()].reduce((sum, line) => sum + line.length, 0);
  }

  private longest(): [network: string, line: Waiting[]] {
    return [...this.waiting].reduce((a, b) => (b[1].length > a[1].length ? b : a));
  }
}

import { RateLimited } from '../access.errors';

/** Hashing a password occupies a thread for an eighth of a second, so few run at once and the queue is short. */
const MAX_RUNNING = 2;
const MAX_WAITING = 20;
const MAX_WAITING_PER_KEY = 10;

/** Where a task comes from: at most one task per network, and per user name, runs at a time. */
interface Source {
  readonly network: string;
  /** The user name whose password is verified; absent when a new password is hashed. */
  readonly username?: string;
}

interface Task {
  readonly keys: readonly string[];
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Limits concurrent hashing of passwords (docs/security.md#login-limits). Tasks with the same network or user name run
 * one after the other, so that a flood from one source occupies one slot and delays nobody else. If too many wait, the
 * oldest of the largest group is rejected.
 */
export class PasswordSemaphore {
  private readonly running = new Set<Task>();
  /** In order of arrival. */
  private waiting: readonly Task[] = [];

  /** @throws RateLimited if the task was rejected, before `work` started */
  async run<T>({ network, username }: Source, work: () => Promise<T>): Promise<T> {
    const keys = [`network ${network}`];
    if (username !== undefined) keys.push(`user ${username}`);
    const task = await this.admit(keys);
    try {
      return await work();
    } finally {
      this.running.delete(task);
      this.startWaiting();
    }
  }

  private admit(keys: readonly string[]): Promise<Task> {
    return new Promise((resolve, reject) => {
      const task: Task = { keys, start: () => resolve(task), reject };
      this.waiting = [...this.waiting, task];
      this.startWaiting();
      this.rejectBeyondLimits(task);
    });
  }

  private startWaiting(): void {
    for (const task of this.waiting) {
      if (this.running.size === MAX_RUNNING) return;
      if ([...this.running].some(({ keys }) => keys.some((key) => task.keys.includes(key)))) continue;
      this.running.add(task);
      this.leave(task);
      task.start();
    }
  }

  private rejectBeyondLimits(newest: Task): void {
    const crowded = newest.keys.find((key) => this.waitingOf(key).length > MAX_WAITING_PER_KEY);
    if (crowded === undefined && this.waiting.length <= MAX_WAITING) return;
    const [oldest] = this.waitingOf(crowded ?? this.mostCrowded());
    if (!oldest) return;
    this.leave(oldest);
    oldest.reject(new RateLimited(1, 'Too many passwords at once'));
  }

  private waitingOf(key: string): Task[] {
    return this.waiting.filter(({ keys }) => keys.includes(key));
  }

  private mostCrowded(): string {
    const size = (key: string) => this.waitingOf(key).length;
    return this.waiting.flatMap(({ keys }) => keys).reduce((a, b) => (size(b) > size(a) ? b : a));
  }

  private leave(task: Task): void {
    this.waiting = this.waiting.filter((each) => each !== task);
  }
}

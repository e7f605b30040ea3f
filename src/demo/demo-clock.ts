import { AsyncLocalStorage } from 'node:async_hooks';
import { Clock } from '../common/time/clock';

/** The real time, except for work that runs at another time. */
export class DemoClock extends Clock {
  private readonly times = new AsyncLocalStorage<number>();

  now(): number {
    return this.times.getStore() ?? Date.now();
  }

  /** Runs `work` at `time`, in milliseconds since the epoch; concurrent work is not affected. */
  at<T>(time: number, work: () => Promise<T>): Promise<T> {
    return this.times.run(time, work);
  }
}

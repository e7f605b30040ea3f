import { AsyncLocalStorage } from 'node:async_hooks';
import { Clock } from '../common/time/clock';

/** The time of the machine, except for work that is done as of another time. */
export class DemoClock extends Clock {
  private readonly times = new AsyncLocalStorage<number>();

  now(): number {
    return this.times.getStore() ?? Date.now();
  }

  /** Runs `work` as if it were `time`, in milliseconds; other work that runs meanwhile keeps its own time. */
  at<T>(time: number, work: () => Promise<T>): Promise<T> {
    return this.times.run(time, work);
  }
}

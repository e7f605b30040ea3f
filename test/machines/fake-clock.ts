import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARIES = '/usr/lib';

/** Debian's libfaketime, which reads the offset of a clock from a file; undefined where it is missing. */
export function faketime(): string | undefined {
  return readdirSync(LIBRARIES)
    .map((architecture) => join(LIBRARIES, architecture, 'faketime/libfaketime.so.1'))
    .find((path) => existsSync(path));
}

/** The clock of one machine, which its programs read through libfaketime. Monotonic time, and with it timers, stay real. */
export class FakeClock {
  constructor(private readonly file: string) {
    this.set(0);
  }

  /** Offsets the clock by seconds, also for programs that are running. */
  set(seconds: number): void {
    writeFileSync(this.file, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  }

  /** Variables of a program that reads this clock. */
  get env(): Record<string, string> {
    return {
      LD_PRELOAD: faketime() ?? '',
      FAKETIME_TIMESTAMP_FILE: this.file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }
}

import { open, stat } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import { Metrics } from '../../../infrastructure/metrics/metrics';
import { decodeClick } from '../click';
import { ClickSpool } from './click-spool';

/** Longer than any line. */
const HEAD_BYTES = 64 * 1024;

/** Metrics of spooled clicks in DATA_DIR. Processes with the same folder report the same values. */
@Injectable()
export class SpoolMetrics {
  /** Time of the first click in each file, which never changes. */
  private firstClicks = new Map<string, number>();

  constructor(
    metrics: Metrics,
    private readonly spool: ClickSpool,
    private readonly clock: Clock,
  ) {
    metrics.gauge('waypost_click_spool_bytes', 'Size of the spool in DATA_DIR', [], async (gauge) =>
      gauge.set(await this.bytes()),
    );
    metrics.gauge(
      'waypost_click_spool_oldest_seconds',
      'Age of the oldest click in the spool',
      [],
      async (gauge) => gauge.set(await this.oldest()),
    );
  }

  private async bytes(): Promise<number> {
    const sizes = (await this.spool.paths()).map((path) =>
      // A file that has been moved meanwhile counts as empty.
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    );
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  }

  private async oldest(): Promise<number> {
    const before = this.firstClicks;
    this.firstClicks = new Map();
    for (const path of await this.spool.paths()) {
      const at = before.get(path) ?? (await firstClickOf(path).catch(() => null));
      if (at !== null) this.firstClicks.set(path, at);
    }
    const now = this.clock.now();
    return Math.max(0, ...[...this.firstClicks.values()].map((at) => now - at)) / 1_000;
  }
}

/** Null for a file without clicks, such as one that only probed the disk. */
async function firstClickOf(path: string): Promise<number | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES), position: 0 });
    const [, line] = /^\n*([^\n]+)\n/.exec(buffer.toString('utf8', 0, bytesRead)) ?? [];
    return line === undefined ? null : decodeClick(line).at;
  } finally {
    await file.close();
  }
}

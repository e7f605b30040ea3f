import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import { Database } from '../../../infrastructure/database/database';
import { InstallationMetrics } from '../../../infrastructure/metrics/installation-metrics';
import { RedisStore } from '../../../infrastructure/redis/redis';
import { decodeClick } from '../click';
import { byJournal, ofStreams } from './click-stream';

/** Measures how long the oldest uncounted click has waited. */
@Injectable()
export class OldestClicks {
  constructor(
    installation: InstallationMetrics,
    private readonly database: Database,
    private readonly redis: RedisStore,
    private readonly clock: Clock,
  ) {
    installation.gauge(
      'waypost_click_oldest_waiting_seconds',
      'Age of the oldest click that waits to be counted, by journal',
      () =>
        byJournal(
          this.inStreams().then((entries) => this.ageOf(entries)),
          this.inTable().then((entries) => this.ageOf(entries)),
        ),
    );
  }

  /** Seconds since the first click of the oldest entry; 0 without one. */
  private ageOf(entries: readonly string[]): number {
    const now = this.clock.now();
    const ages = entries.map((lines) => now - decodeClick(lines.split('\n', 1)[0] ?? '').at);
    return Math.max(0, ...ages) / 1_000;
  }

  private async inStreams(): Promise<string[]> {
    const oldest = await ofStreams(this.redis, (redis, key) => redis.xrange(key, '-', '+', 'COUNT', 1));
    return oldest.flat().map(([, fields]) => fields[1] ?? '');
  }

  private async inTable(): Promise<string[]> {
    const rows = await this.database.read<{ lines: string }>(
      'SELECT lines FROM click_journal ORDER BY id LIMIT 1',
    );
    return rows.map(({ lines }) => lines);
  }
}

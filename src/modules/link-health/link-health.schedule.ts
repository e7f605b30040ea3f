import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Config } from '../../config/config';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';
import { HealthRound } from './health-round';

const EVERY_SECONDS = 60;

/** Runs a round of checks every minute, in one process at a time. */
@Injectable()
export class LinkHealthSchedule implements OnModuleDestroy {
  private readonly closing = new AbortController();

  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly round: HealthRound,
    @Inject(Config) private readonly config: Pick<Config, 'linkHealth'>,
  ) {}

  /** A shutdown waits for the round, which ends at once. */
  onModuleDestroy(): void {
    this.closing.abort();
  }

  @Interval(EVERY_SECONDS * 1_000)
  async tick(): Promise<boolean> {
    if (!this.config.linkHealth) return false;
    // When the lock is lost, another process may already be requesting the same hosts, so the round ends.
    return this.schedule.run('links.health', EVERY_SECONDS, (lost) =>
      this.round.run(AbortSignal.any([lost, this.closing.signal])),
    );
  }
}

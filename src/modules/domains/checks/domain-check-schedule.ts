import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { describeError } from '../../../common/logging/logger';
import { Clock } from '../../../common/time/clock';
import { OncePerSchedule } from '../../../infrastructure/schedule/once-per-schedule';
import type { CustomDomain } from '../custom-domain.entity';
import { DomainChecks } from './domain-checks';

const EVERY_SECONDS = 600;
const BATCH = 200;
const PARALLEL = 32;
/** Time limit of a run; the next one starts with the remaining domains. */
const RUN_MS = 8 * 60_000;

@Injectable()
export class DomainCheckSchedule implements OnModuleDestroy {
  private readonly logger = new Logger(DomainCheckSchedule.name);
  private stopping = false;

  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly checks: DomainChecks,
    private readonly clock: Clock,
  ) {}

  @Cron('*/10 * * * *')
  run(): Promise<boolean> {
    return this.schedule.run('domains.check', EVERY_SECONDS, () => this.checkAll());
  }

  /** A shutdown waits for the run, which ends after its current checks. */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  private async checkAll(): Promise<void> {
    // Skips domains that have just been checked on demand.
    const before = new Date(this.clock.now() - EVERY_SECONDS * 500);
    const endAt = performance.now() + RUN_MS;
    const servers = { dead: false };
    const over = () => servers.dead || this.stopping || performance.now() > endAt;
    while (!over()) {
      const due = await this.checks.takeDue(before, BATCH);
      if (due.length === 0) return;
      const worker = async () => {
        for (let domain = due.pop(); domain && !over(); domain = due.pop()) {
          if ((await this.checkOne(domain)) === 'UNKNOWN') servers.dead = true;
        }
      };
      await Promise.all(Array.from({ length: PARALLEL }, worker));
    }
    if (servers.dead) this.logger.warn('Custom domains are not checked: the DNS resolvers do not respond');
  }

  /** A failure does not affect the other checks. */
  private async checkOne(domain: CustomDomain): Promise<string | null> {
    try {
      return await this.checks.check(domain);
    } catch (error) {
      this.logger.error(`Checking custom domain ${domain.id} failed: ${describeError(error).message}`);
      return null;
    }
  }
}

import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '../../common/logging/logger';
import type { HealthProblem } from '../tracked-links/health/tracked-link-health';
import { DestinationAsker, hostOf } from './destination-asker';
import { type DueCheck, DueChecksQuery } from './due-checks.query';
import { HealthRecords } from './health-records';

const BATCH = 500;
const AT_ONCE = 10;
/** Time limit of a round; the next one continues. */
const ROUND_MS = 45_000;
/** Time that one host gets of a round, so that hosts that let requests time out do not hold up the others. */
const HOST_MS = 30_000;

/** Checks of the same destinations. */
interface Group {
  readonly urls: readonly string[];
  readonly checks: DueCheck[];
}

/** State of a round. */
interface Round {
  readonly stop: AbortSignal;
  readonly endAt: number;
  /** Results by URL: each is asked once, however many links lead to it. */
  readonly asked: Map<string, Promise<HealthProblem | null>>;
  /** Milliseconds used by each host. */
  readonly used: Map<string, number>;
}

/** Checks destinations that are due. One process at a time may run rounds, because hosts are locked in memory. */
@Injectable()
export class HealthRound {
  private readonly logger = new Logger(HealthRound.name);

  constructor(
    private readonly due: DueChecksQuery,
    private readonly records: HealthRecords,
    private readonly asker: DestinationAsker,
  ) {}

  /** @param stop ends the round at once; checks that it interrupts stay due */
  async run(stop: AbortSignal): Promise<void> {
    await this.records.enrol();
    const round = { stop, endAt: performance.now() + ROUND_MS, asked: new Map(), used: new Map() };
    while (!isOver(round)) {
      const due = await this.due.run(BATCH);
      const gone = due.filter(({ originalUrl }) => originalUrl === null);
      const present = due.filter(({ originalUrl }) => originalUrl !== null);
      const late = present.filter((check) => check.late);
      if (late.length > 0)
        this.logger.warn(`${late.length} checks of destinations were over a week late; spread over the next`);
      const groups = this.groupsOf(present.filter((check) => !check.late));
      const grouped = new Set([...groups.values()].flat().flatMap(({ checks }) => checks));
      await this.records.forget(gone);
      await this.records.postpone(present.filter((check) => !grouped.has(check)));
      await this.checkAll(round, groups);
      if (due.length < BATCH) return;
    }
  }

  /** The checks that can be asked, by the host of their first destination. */
  private groupsOf(checks: readonly DueCheck[]): Map<string, Group[]> {
    const groups = new Map<string, Group>();
    for (const check of checks) {
      const urls = check.urls.filter((url) => this.asker.canAsk(url));
      if (urls.length === 0) continue;
      const key = JSON.stringify([check.originalUrl, urls]);
      const group = groups.get(key) ?? { urls, checks: [] };
      group.checks.push(check);
      groups.set(key, group);
    }
    const byHost = new Map<string, Group[]>();
    for (const group of groups.values()) {
      const host = hostOf(group.urls[0] ?? '') ?? '';
      byHost.set(host, [...(byHost.get(host) ?? []), group]);
    }
    return byHost;
  }

  private async checkAll(round: Round, groups: ReadonlyMap<string, Group[]>): Promise<void> {
    const hosts = [...groups];
    const worker = async () => {
      for (let next = hosts.shift(); next; next = hosts.shift()) await this.checkHost(round, ...next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  private async checkHost(round: Round, host: string, groups: readonly Group[]): Promise<void> {
    const left: DueCheck[] = [];
    for (const { urls, checks } of groups) {
      if (isOver(round)) break;
      const used = round.used.get(host) ?? 0;
      if (used > HOST_MS) {
        left.push(...checks);
        continue;
      }
      const startedAt = performance.now();
      await this.check(round, urls, checks);
      round.used.set(host, used + performance.now() - startedAt);
    }
    await this.records.requeue(left);
  }

  /** A failure to store the result does not affect the other checks. */
  private async check(round: Round, urls: readonly string[], checks: readonly DueCheck[]): Promise<void> {
    try {
      const problem = await this.problemOf(round, urls);
      if (!round.stop.aborted) await this.records.judge(checks, problem);
    } catch (error) {
      this.logger.warn(`The health of destinations could not be stored: ${describeError(error).message}`);
    }
  }

  /** The first problem of the destinations. */
  private async problemOf({ asked, stop }: Round, urls: readonly string[]): Promise<HealthProblem | null> {
    for (const url of urls) {
      const asking = asked.get(url) ?? this.asker.problemOf(url, stop);
      asked.set(url, asking);
      const problem = await asking;
      if (problem !== null) return problem;
    }
    return null;
  }
}

function isOver({ stop, endAt }: Round): boolean {
  return stop.aborted || performance.now() > endAt;
}

import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '../../common/logging/logger';
import type { HealthProblem } from '../tracked-links/health/tracked-link-health';
import { DestinationAsker, hostOf } from './destination-asker';
import { type DueCheck, DueChecksQuery } from './due-checks.query';
import { HealthRecords } from './health-records';
import { Turns } from './turns';

const BATCH = 500;
/** Checks per batch of an organization while others have due ones. */
const SHARE = 50;
const AT_ONCE = 10;
/** Time limit of a round; the next one continues. */
const ROUND_MS = 45_000;
/** Time limit per host in a round, so that hosts that do not respond do not hold up the others. */
const HOST_MS = 30_000;

/** Checks with the same destinations. */
interface Group {
  readonly urls: readonly string[];
  /** Host of the first destination. */
  readonly host: string;
  readonly checks: DueCheck[];
  readonly organizations: Set<number>;
}

interface Round {
  readonly stop: AbortSignal;
  readonly endAt: number;
  /** Results by URL: each is requested once, however many links lead to it. */
  readonly asked: Map<string, Promise<HealthProblem | null>>;
  /** Milliseconds used by each host. */
  readonly used: Map<string, number>;
  /** Hosts that are being requested for the first destination of a check. */
  readonly busy: Map<string, Promise<unknown>>;
}

/**
 * Makes due checks, in turns of organizations. Only one process at a time may run rounds, because hosts are locked in
 * memory.
 */
@Injectable()
export class HealthRound {
  private readonly logger = new Logger(HealthRound.name);
  /** Kept between rounds, so that an organization that a round has not reached comes first in the next one. */
  private readonly turns = new Turns();

  constructor(
    private readonly due: DueChecksQuery,
    private readonly records: HealthRecords,
    private readonly asker: DestinationAsker,
  ) {}

  /** @param stop ends the round at once; interrupted checks stay due */
  async run(stop: AbortSignal): Promise<void> {
    const endAt = performance.now() + ROUND_MS;
    const round: Round = { stop, endAt, asked: new Map(), used: new Map(), busy: new Map() };
    let share = SHARE;
    while (!isOver(round)) {
      const { checks: due, restIsSurplus } = await this.due.run(BATCH, share);
      // Scanning all surplus checks is slow, so it happens once per round.
      if (restIsSurplus) share = BATCH;
      const gone = due.filter(({ originalUrl }) => originalUrl === null);
      const present = due.filter(({ originalUrl }) => originalUrl !== null);
      const late = present.filter((check) => check.late);
      if (late.length > 0)
        this.logger.warn(`${late.length} checks of destinations were over a week late; spread over the next`);
      const groups = this.groupsOf(present.filter((check) => !check.late));
      const grouped = new Set(groups.flatMap(({ checks }) => checks));
      await this.records.forget(gone);
      await this.records.postpone(present.filter((check) => !grouped.has(check)));
      await this.checkAll(round, groups);
      if (due.length < BATCH) return;
    }
  }

  /** The checks that can be made, grouped by destinations. */
  private groupsOf(checks: readonly DueCheck[]): Group[] {
    const groups = new Map<string, Group>();
    for (const check of checks) {
      const urls = check.urls.filter((url) => this.asker.canAsk(url));
      if (urls.length === 0) continue;
      const key = JSON.stringify([check.originalUrl, urls]);
      const host = hostOf(urls[0] ?? '') ?? '';
      const group = groups.get(key) ?? { urls, host, checks: [], organizations: new Set() };
      group.checks.push(check);
      group.organizations.add(check.organizationId);
      groups.set(key, group);
    }
    return [...groups.values()];
  }

  private async checkAll(round: Round, groups: readonly Group[]): Promise<void> {
    const waiting = new Set(groups);
    const running = new Set<Promise<void>>();
    for (;;) {
      const next = running.size < AT_ONCE && !isOver(round) ? this.nextOf(round, waiting) : undefined;
      if (next) {
        waiting.delete(next);
        const check: Promise<void> = this.check(round, next).finally(() => running.delete(check));
        running.add(check);
      } else if (running.size > 0) await Promise.race([...running, ...round.busy.values()]);
      else break;
    }
    const left = [...waiting].filter(({ host }) => isUsedUp(round, host));
    await this.records.requeue(left.flatMap(({ checks }) => checks));
  }

  private nextOf(round: Round, waiting: ReadonlySet<Group>): Group | undefined {
    return this.turns.next(
      [...waiting].filter(({ host }) => !round.busy.has(host) && !isUsedUp(round, host)),
    );
  }

  /** A failure to store the result does not affect the other checks. */
  private async check(round: Round, group: Group): Promise<void> {
    this.turns.begin(group);
    try {
      const problem = await this.problemOf(round, group);
      if (!round.stop.aborted) await this.records.judge(group.checks, problem);
    } catch (error) {
      this.logger.warn(`The health of destinations could not be stored: ${describeError(error).message}`);
    } finally {
      this.turns.end(group);
    }
  }

  /** The first problem of the destinations, or null. */
  private async problemOf(
    round: Round,
    { urls: [first = '', ...others], host }: Group,
  ): Promise<HealthProblem | null> {
    const startedAt = performance.now();
    const asking = this.ask(round, first);
    round.busy.set(
      host,
      asking.catch(() => undefined),
    );
    let problem: HealthProblem | null;
    try {
      problem = await asking;
    } finally {
      round.busy.delete(host);
      round.used.set(host, (round.used.get(host) ?? 0) + performance.now() - startedAt);
    }
    for (const url of others) problem ??= await this.ask(round, url);
    return problem;
  }

  private ask({ asked, stop }: Round, url: string): Promise<HealthProblem | null> {
    const asking = asked.get(url) ?? this.asker.problemOf(url, stop);
    asked.set(url, asking);
    return asking;
  }
}

function isUsedUp({ used }: Round, host: string): boolean {
  return (used.get(host) ?? 0) > HOST_MS;
}

function isOver({ stop, endAt }: Round): boolean {
  return stop.aborted || performance.now() > endAt;
}

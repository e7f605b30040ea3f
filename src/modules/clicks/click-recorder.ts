import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';
import type { AppPage, Click, DedupLock, ReportedAgent, Utm } from './click';
import { REPEAT_MS } from './dedup-locks';
import { ClickJournal } from './journal/click-journal';
import { agentOf } from './visitor-facts';
import { Visitors } from './visitors';
import { cut } from '../../common/sanitize-text';

/** Maximum length in characters of each value that a visitor chooses; no statistic stores more. */
const MAX_TEXT = 1_000;
/** Ids per lease; half of a lease outlasts a ten-minute outage of Postgres at any rate that one process reaches. */
const LEASE_SIZE = 100_000_000;

/** A request for a tracked link, to be recorded as a click. */
export interface Visit extends Omit<Click, 'id' | 'at' | 'dedup' | 'appPage' | 'reportedAgent'> {
  /** Window in which further clicks from this address do not count; null if every click counts. */
  deduplicationWindowMinutes: number | null;
  /** A client's own id of the click: where every click counts, a repeat with it does not. */
  requestId?: string | null;
  /** Key of the token in the response. Its app is the first of `appIds`. */
  tokenKey?: string;
  /** Whether the token is in the destination's URL, for no app, instead of in the page that opens an app. */
  tokenForSite?: boolean;
  /** The device reported by an SDK. Such a click counts as a person's, whatever its user agent. */
  reportedAgent?: ReportedAgent;
}

/** Assigns click ids from blocks leased from a Postgres sequence, so that a click needs no query. */
@Injectable()
export class ClickIds implements OnModuleInit {
  private next = 0;
  private end = 0;
  private spare: number | null = null;
  private leasing = false;

  constructor(private readonly database: Database) {}

  async onModuleInit(): Promise<void> {
    this.start(await this.lease());
    this.database.onPrimaryChange(() => void this.leaseAnew());
  }

  /** @throws if the lease is used up and could not be renewed */
  take(): number {
    if (this.end - this.next < LEASE_SIZE / 2 && this.spare === null) this.leaseAhead();
    if (this.next === this.end) {
      if (this.spare === null) throw new Error('No click ids are left, and Postgres leases none');
      this.start(this.spare);
      this.spare = null;
    }
    return this.next++;
  }

  private start(block: number): void {
    this.next = block * LEASE_SIZE;
    this.end = this.next + LEASE_SIZE;
  }

  private leaseAhead(): void {
    if (this.leasing) return;
    this.leasing = true;
    void this.lease()
      .then((block) => (this.spare = block))
      .catch(() => undefined)
      .finally(() => (this.leasing = false));
  }

  /** Leases a new block, because a new primary that lacks the last writes would lease the current one again. */
  private async leaseAnew(): Promise<void> {
    this.spare = null;
    const block = await this.lease().catch(() => null);
    if (block !== null) this.start(block);
  }

  private async lease(): Promise<number> {
    const row = await this.database.single<{ block: number }>(`SELECT nextval('click_id_blocks') AS block`);
    return row.block;
  }
}

/** Records clicks, for the redirect and for the SDKs. */
@Injectable()
export class ClickRecorder implements OnModuleInit {
  constructor(
    private readonly ids: ClickIds,
    private readonly journal: ClickJournal,
    private readonly visitors: Visitors,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.visitors.loadAddressSalt();
  }

  /**
   * Records a click. Once `journaled` resolves, the click survives a killed process or an outage of the stores, and
   * counts once. Clicks of the same turn of the event loop and shard share one promise, which resolves to the ids that
   * de-duplication has filtered out. It rejects if neither a store nor the disk accepts the click.
   */
  record(visit: Visit): { id: number; journaled: Promise<ReadonlySet<number>> } {
    const { userAgent, referrer } = visit;
    const click: Click = {
      id: this.ids.take(),
      at: this.clock.now(),
      kind: visit.kind,
      trackedLinkId: visit.trackedLinkId,
      organizationId: visit.organizationId,
      appIds: visit.appIds,
      ip: visit.ip,
      userAgent: cut(userAgent, MAX_TEXT),
      referrer: referrer === null ? null : cut(referrer, MAX_TEXT),
      tracker: visit.tracker,
      customId: visit.customId,
      utm: visit.utm && cutUtm(visit.utm),
      dedup: this.dedup(visit),
      appPage: appPageOf(visit),
      reportedAgent: visit.reportedAgent,
      variant: visit.variant,
    };
    const stored = this.journal.append(click);
    return { id: click.id, journaled: click.dedup && click.appPage ? this.withToken(click, stored) : stored };
  }

  /** Journals a click that is filtered out as not counted, because its token must still work. */
  private async withToken(click: Click, stored: Promise<ReadonlySet<number>>): Promise<ReadonlySet<number>> {
    const filtered = await stored;
    if (click.appPage && filtered.has(click.id)) {
      await this.journal.append({ ...click, dedup: null, appPage: { ...click.appPage, counted: false } });
    }
    return filtered;
  }

  /** Bots take no lock, because it would filter out a person behind the same address. */
  private dedup(visit: Visit): DedupLock | null {
    const { deduplicationWindowMinutes: minutes, requestId } = visit;
    if (minutes === null) return requestId ? this.lock(`request ${requestId}`, REPEAT_MS) : null;
    if (!visit.reportedAgent && agentOf(visit.userAgent).isBot) return null;
    return this.lock(visit.ip, minutes * 60_000);
  }

  private lock(of: string, windowMs: number): DedupLock {
    return { address: this.visitors.addressHash(of), windowMs, settled: false };
  }
}

function appPageOf({ tokenKey, tokenForSite }: Visit): AppPage | null {
  if (tokenKey === undefined) return null;
  return { tokenKey, counted: true, ...(tokenForSite && { forSite: true }) };
}

function cutUtm(utm: Utm): Utm {
  if (!utm.some((value) => (value?.length ?? 0) > MAX_TEXT)) return utm;
  const [source = null, medium = null, term = null, content = null, campaign] = utm.map(
    (value) => value && cut(value, MAX_TEXT),
  );
  return [source, medium, term, content, campaign];
}

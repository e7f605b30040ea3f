import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';
import type { AppPage, Click, DedupLock, SaidAgent, TrackedLinkKind, Utm } from './click';
import { ClickJournal } from './journal/click-journal';
import { agentOf } from './visitor-facts';
import { Visitors } from './visitors';

/** Characters of each text that a visitor chooses, more than any figure keeps. */
const MAX_TEXT = 1_000;
/** Ids a lease holds: half of it outlasts a Postgres outage of ten minutes at any rate that one process reaches. */
const BLOCK = 100_000_000;

/** What was clicked, and how a request came to it. */
export interface Visit {
  kind: TrackedLinkKind;
  trackedLinkId: number;
  organizationId: number;
  /** The apps that the tracked link is tied to, at most two; first the one that the visit is for. */
  appIds: readonly number[];
  ip: string;
  userAgent: string;
  referrer: string | null;
  tracker: string | null;
  customId: string | null;
  utm: Utm | null;
  /** Minutes in which a second click from this address does not count; null: every click counts. */
  deduplicationWindowMinutes: number | null;
  /** Key of the token in the page that opens an app, when that is the answer; its app is the first of `appIds`. */
  tokenKey?: string;
  /** Whether the token stands in the destination instead, for no app. */
  tokenForSite?: boolean;
  /** What an SDK says of the device; then the click is a person's, whatever its user agent is. */
  saidAgent?: SaidAgent;
}

/** Gives clicks their ids without asking Postgres each time: leases blocks from a sequence. */
@Injectable()
export class ClickIds implements OnModuleInit {
  private next = 0;
  private end = 0;
  private spare: number | null = null;
  private leasing = false;

  constructor(private readonly database: Database) {}

  async onModuleInit(): Promise<void> {
    this.start(await this.lease());
  }

  /** @throws when the lease has run out and Postgres has given no new one */
  take(): number {
    if (this.end - this.next < BLOCK / 2 && this.spare === null) this.leaseAhead();
    if (this.next === this.end) {
      if (this.spare === null) throw new Error('No click ids are left and Postgres gives none');
      this.start(this.spare);
      this.spare = null;
    }
    return this.next++;
  }

  private start(block: number): void {
    this.next = block * BLOCK;
    this.end = this.next + BLOCK;
  }

  private leaseAhead(): void {
    if (this.leasing) return;
    this.leasing = true;
    void this.lease()
      .then((block) => (this.spare = block))
      .catch(() => undefined)
      .finally(() => (this.leasing = false));
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
   * Keeps a click: once this resolves, it outlives a killed process and the outage of a store, and counts once.
   * Clicks of the same turn of the event loop share one promise.
   * @returns ids of the clicks of this turn that de-duplication filtered out
   * @throws when no place takes it
   */
  record(visit: Visit): { id: number; kept: Promise<ReadonlySet<number>> } {
    const { userAgent, referrer } = visit;
    const click: Click = {
      id: this.ids.take(),
      at: this.clock.now(),
      kind: visit.kind,
      trackedLinkId: visit.trackedLinkId,
      organizationId: visit.organizationId,
      appIds: visit.appIds,
      ip: visit.ip,
      userAgent: cut(userAgent),
      referrer: referrer === null ? null : cut(referrer),
      tracker: visit.tracker,
      customId: visit.customId,
      utm: visit.utm && cutUtm(visit.utm),
      claim:
        visit.deduplicationWindowMinutes === null
          ? null
          : this.claim(visit, visit.deduplicationWindowMinutes),
      appPage: appPageOf(visit),
      saidAgent: visit.saidAgent,
    };
    const kept = this.journal.keep(click);
    return { id: click.id, kept: click.claim && click.appPage ? this.withToken(click, kept) : kept };
  }

  /** Who clicks twice opens the app twice: a click that was filtered out is kept for the sake of its token. */
  private async withToken(click: Click, kept: Promise<ReadonlySet<number>>): Promise<ReadonlySet<number>> {
    const filtered = await kept;
    if (click.appPage && filtered.has(click.id)) {
      await this.journal.keep({ ...click, claim: null, appPage: { ...click.appPage, counted: false } });
    }
    return filtered;
  }

  /** Bots are counted apart, and must not take a person's place. */
  private claim(visit: Visit, windowMinutes: number): DedupLock | null {
    if (!visit.saidAgent && agentOf(visit.userAgent).isBot) return null;
    return { address: this.visitors.addressHash(visit.ip), windowMs: windowMinutes * 60_000, settled: false };
  }
}

function appPageOf({ tokenKey, tokenForSite }: Visit): AppPage | null {
  if (tokenKey === undefined) return null;
  return { tokenKey, counted: true, ...(tokenForSite && { forSite: true }) };
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text;
}

function cutUtm(utm: Utm): Utm {
  if (!utm.some((value) => value !== null && value.length > MAX_TEXT)) return utm;
  const [source, medium, term, content] = utm.map((value) => value && cut(value));
  return [source ?? null, medium ?? null, term ?? null, content ?? null];
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { TargetKind } from '../../common/click-target';
import { Clock } from '../../common/time/clock';
import type { Claim, Click, Utm } from './click';
import { ClickIds } from './click-ids';
import { ClickJournal } from './click-journal';
import { agentOf } from './visit';
import { Visitors } from './visitors';

const MAX_HEADER = 1_000;

/** What was clicked, and how a request came to it. */
export interface Visit {
  kind: TargetKind;
  targetId: number;
  organizationId: number;
  appId: number | null;
  ip: string;
  userAgent: string;
  referrer: string | null;
  tracker: string | null;
  customId: string | null;
  utm: Utm | null;
  /** Minutes in which a second click from this address does not count; null: every click counts. */
  deduplicationWindowMinutes: number | null;
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
      targetId: visit.targetId,
      organizationId: visit.organizationId,
      appId: visit.appId,
      ip: visit.ip,
      userAgent: userAgent.length > MAX_HEADER ? userAgent.slice(0, MAX_HEADER) : userAgent,
      referrer: referrer !== null && referrer.length > MAX_HEADER ? referrer.slice(0, MAX_HEADER) : referrer,
      tracker: visit.tracker,
      customId: visit.customId,
      utm: visit.utm,
      claim:
        visit.deduplicationWindowMinutes === null
          ? null
          : this.claim(visit, visit.deduplicationWindowMinutes),
    };
    return { id: click.id, kept: this.journal.keep(click) };
  }

  /** Bots are counted apart, and must not take a person's place. */
  private claim(visit: Visit, windowMinutes: number): Claim | null {
    if (agentOf(visit.userAgent).isBot) return null;
    return { address: this.visitors.addressHash(visit.ip), windowMs: windowMinutes * 60_000, settled: false };
  }
}

import type { TargetKind } from '../../common/click-target';
import {
  DAY_MINUTES,
  FUNNEL_TERM,
  QUARTER_MINUTES,
  SUBJECT_KIND,
  type SubjectKind,
} from '../../common/funnel';

const MINUTE_MS = 60_000;

/** A link or campaign. */
export interface FunnelTarget {
  kind: TargetKind;
  id: number;
}

/** Something that happened, for the figures of what it happened to. */
export interface FunnelFact {
  organizationId: number;
  /** The link or campaign that led there; null when none did. */
  target: FunnelTarget | null;
  appId: number | null;
  /** Milliseconds since the epoch. A stage counts where its session began, so that no rate exceeds a hundred. */
  at: number;
  /** What to count once each: FUNNEL_TERM. */
  terms: readonly number[];
  /** An app was installed, on this platform. */
  installedOn?: 'iOS' | 'Android';
  /** For whom somebody's coming back is the day's first: days since the last time there; null: never before. */
  returned?: Partial<Record<'target' | 'app', number | null>>;
}

/** What is added to one period of one subject. */
export interface FunnelSum {
  organizationId: number;
  kind: number;
  id: number;
  minutes: number;
  startsAt: number;
  clicks: number;
  iosInstalls: number;
  androidInstalls: number;
  terms: Map<number, number>;
}

/** Adds facts up before they are written: one row for each period of each link, campaign and app. */
export class FunnelSums {
  private readonly sums = new Map<string, FunnelSum>();

  /** @param times -1 takes back what was added before */
  add(fact: FunnelFact, times: 1 | -1 = 1): void {
    const { organizationId, target, appId, at } = fact;
    if (target) {
      const sum = this.sum(organizationId, target.kind, target.id, DAY_MINUTES, at);
      this.addTo(sum, fact, times, fact.returned?.target);
    }
    if (target?.kind === 'campaign') {
      this.addTo(this.sum(organizationId, 'campaign', target.id, QUARTER_MINUTES, at), fact, times);
    }
    if (appId !== null) {
      this.addTo(this.sum(organizationId, 'app', appId, DAY_MINUTES, at), fact, times, fact.returned?.app);
    }
  }

  /** Clicks as click_rollups does not have them: of campaigns by quarters of an hour, and of apps. */
  addClick(organizationId: number, target: FunnelTarget, appIds: readonly number[], at: number): void {
    if (target.kind === 'campaign') {
      this.sum(organizationId, 'campaign', target.id, QUARTER_MINUTES, at).clicks++;
    }
    for (const appId of appIds) this.sum(organizationId, 'app', appId, DAY_MINUTES, at).clicks++;
  }

  /** What is not nothing. */
  rows(): FunnelSum[] {
    return [...this.sums.values()].filter(
      ({ clicks, iosInstalls, androidInstalls, terms }) =>
        clicks !== 0 || iosInstalls !== 0 || androidInstalls !== 0 || terms.size > 0,
    );
  }

  private addTo(
    sum: FunnelSum,
    { terms, installedOn }: FunnelFact,
    times: number,
    gapDays?: number | null,
  ): void {
    for (const term of terms) increase(sum.terms, term, times);
    if (gapDays !== undefined) increase(sum.terms, FUNNEL_TERM.returnAfter(gapDays), times);
    if (installedOn === 'iOS') sum.iosInstalls += times;
    if (installedOn === 'Android') sum.androidInstalls += times;
  }

  private sum(
    organizationId: number,
    subject: SubjectKind,
    id: number,
    minutes: number,
    at: number,
  ): FunnelSum {
    const kind = SUBJECT_KIND[subject];
    const startsAt = at - (at % (minutes * MINUTE_MS));
    const key = `${organizationId}/${kind}/${id}/${minutes}/${startsAt}`;
    let sum = this.sums.get(key);
    if (!sum) {
      const nothing = { clicks: 0, iosInstalls: 0, androidInstalls: 0, terms: new Map<number, number>() };
      sum = { organizationId, kind, id, minutes, startsAt, ...nothing };
      this.sums.set(key, sum);
    }
    return sum;
  }
}

function increase(counts: Map<number, number>, term: number, by: number): void {
  const count = (counts.get(term) ?? 0) + by;
  if (count === 0) counts.delete(term);
  else counts.set(term, count);
}

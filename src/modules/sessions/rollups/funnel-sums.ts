import type { TrackedLinkKind } from '../../clicks/click';
import {
  DAY_MINUTES,
  FUNNEL_TERM,
  type InstallPlatform,
  QUARTER_MINUTES,
  SUBJECT_KIND,
  type SubjectKind,
  subjectKindOn,
} from '../funnel';

const MINUTE_MS = 60_000;

export interface TrackedLinkRef {
  kind: TrackedLinkKind;
  id: number;
}

/** Something to count for its tracked link and its app. */
export interface FunnelFact {
  organizationId: number;
  /** The link or campaign that led to it; null if unknown. */
  trackedLink: TrackedLinkRef | null;
  appId: number | null;
  /** Milliseconds since the epoch; for stages, the start of the session, so that no rate exceeds 100 %. */
  at: number;
  /** Values of FUNNEL_TERM, each to be counted once. */
  terms: readonly number[];
  /** Null for other or unknown platforms. */
  platform: InstallPlatform | null;
  installed?: boolean;
  /** Set on a user's first return of the day: the days since the previous return, or null for the first one ever. */
  returned?: Partial<Record<'trackedLink' | 'app', number | null>>;
}

/** A click of a person. */
export interface FunnelClick {
  organizationId: number;
  trackedLink: TrackedLinkRef;
  appIds: readonly number[];
  /** Milliseconds since the epoch. */
  at: number;
  /** Null for other platforms. */
  platform: InstallPlatform | null;
}

export interface FunnelSum {
  organizationId: number;
  kind: number;
  id: number;
  minutes: number;
  startsAt: number;
  clicks: number;
  iosClicks: number;
  androidClicks: number;
  iosInstalls: number;
  androidInstalls: number;
  terms: Map<number, number>;
}

/** Sums facts in memory, into one row per period and subject. */
export class FunnelSums {
  private readonly sums = new Map<string, FunnelSum>();

  /** @param times -1 to subtract */
  add(fact: FunnelFact, times: 1 | -1 = 1): void {
    const { organizationId, trackedLink, appId, at, platform } = fact;
    const count = (subject: SubjectKind, id: number, minutes: number, gapDays?: number | null) => {
      this.addTo(this.sum(organizationId, SUBJECT_KIND[subject], id, minutes, at), fact, times, gapDays);
      if (platform === null) return;
      this.addTo(
        this.sum(organizationId, subjectKindOn(subject, platform), id, minutes, at),
        fact,
        times,
        gapDays,
      );
    };
    if (trackedLink) count(trackedLink.kind, trackedLink.id, DAY_MINUTES, fact.returned?.trackedLink);
    if (trackedLink?.kind === 'campaign') count('campaign', trackedLink.id, QUARTER_MINUTES);
    if (appId !== null) count('app', appId, DAY_MINUTES, fact.returned?.app);
  }

  /** Adds clicks that click_rollups does not cover: of campaigns by quarter of an hour, and of apps. */
  addClick({ organizationId, trackedLink, appIds, at, platform }: FunnelClick): void {
    const count = (subject: SubjectKind, id: number, minutes: number) => {
      const sum = this.sum(organizationId, SUBJECT_KIND[subject], id, minutes, at);
      sum.clicks++;
      if (platform === 'iOS') sum.iosClicks++;
      else if (platform === 'Android') sum.androidClicks++;
    };
    if (trackedLink.kind === 'campaign') count('campaign', trackedLink.id, QUARTER_MINUTES);
    for (const appId of appIds) count('app', appId, DAY_MINUTES);
  }

  rows(): FunnelSum[] {
    return [...this.sums.values()].filter(
      ({ clicks, iosInstalls, androidInstalls, terms }) =>
        clicks !== 0 || iosInstalls !== 0 || androidInstalls !== 0 || terms.size > 0,
    );
  }

  private addTo(
    sum: FunnelSum,
    { terms, platform, installed }: FunnelFact,
    times: number,
    gapDays?: number | null,
  ): void {
    for (const term of terms) increase(sum.terms, term, times);
    if (gapDays !== undefined) increase(sum.terms, FUNNEL_TERM.returnAfter(gapDays), times);
    if (installed && platform === 'iOS') sum.iosInstalls += times;
    if (installed && platform === 'Android') sum.androidInstalls += times;
  }

  private sum(organizationId: number, kind: number, id: number, minutes: number, at: number): FunnelSum {
    const startsAt = at - (at % (minutes * MINUTE_MS));
    const key = `${organizationId}/${kind}/${id}/${minutes}/${startsAt}`;
    let sum = this.sums.get(key);
    if (!sum) {
      const clicks = { clicks: 0, iosClicks: 0, androidClicks: 0 };
      const zero = { iosInstalls: 0, androidInstalls: 0, terms: new Map<number, number>() };
      sum = { organizationId, kind, id, minutes, startsAt, ...clicks, ...zero };
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

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

/** A link or campaign. */
export interface TrackedLinkRef {
  kind: TrackedLinkKind;
  id: number;
}

/** Something that happened, for the figures of what it happened to. */
export interface FunnelFact {
  organizationId: number;
  /** The link or campaign that led there; null when none did. */
  trackedLink: TrackedLinkRef | null;
  appId: number | null;
  /** Milliseconds since the epoch. A stage counts where its session began, so that no rate exceeds a hundred. */
  at: number;
  /** What to count once each: FUNNEL_TERM. */
  terms: readonly number[];
  /** What it happened on; null where it is known of neither. */
  platform: InstallPlatform | null;
  /** Whether an app was installed, on that platform. */
  installed?: boolean;
  /** For whom somebody's coming back is the day's first: days since the last time there; null: never before. */
  returned?: Partial<Record<'trackedLink' | 'app', number | null>>;
}

/** A click of a person. */
export interface FunnelClick {
  organizationId: number;
  trackedLink: TrackedLinkRef;
  /** The apps that the tracked link is tied to. */
  appIds: readonly number[];
  /** Milliseconds since the epoch. */
  at: number;
  /** What it came from; null: neither. */
  platform: InstallPlatform | null;
}

/** What is added to one period of one subject. */
export interface FunnelSum {
  organizationId: number;
  kind: number;
  id: number;
  minutes: number;
  startsAt: number;
  clicks: number;
  /** Of them, by what they came from. */
  iosClicks: number;
  androidClicks: number;
  otherClicks: number;
  iosInstalls: number;
  androidInstalls: number;
  terms: Map<number, number>;
}

/** Adds facts up before they are written: one row for each period of each link, campaign and app. */
export class FunnelSums {
  private readonly sums = new Map<string, FunnelSum>();

  /** @param times -1 takes back what was added before */
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

  /** Clicks as click_rollups does not have them: of campaigns by quarters of an hour, and of apps. */
  addClick({ organizationId, trackedLink, appIds, at, platform }: FunnelClick): void {
    const count = (subject: SubjectKind, id: number, minutes: number) => {
      const sum = this.sum(organizationId, SUBJECT_KIND[subject], id, minutes, at);
      sum.clicks++;
      if (platform === 'iOS') sum.iosClicks++;
      else if (platform === 'Android') sum.androidClicks++;
      else sum.otherClicks++;
    };
    if (trackedLink.kind === 'campaign') count('campaign', trackedLink.id, QUARTER_MINUTES);
    for (const appId of appIds) count('app', appId, DAY_MINUTES);
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
      const clicks = { clicks: 0, iosClicks: 0, androidClicks: 0, otherClicks: 0 };
      const nothing = { iosInstalls: 0, androidInstalls: 0, terms: new Map<number, number>() };
      sum = { organizationId, kind, id, minutes, startsAt, ...clicks, ...nothing };
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

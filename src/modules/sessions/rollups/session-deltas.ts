import { hash } from 'node:crypto';
import {
  ALL_OF_KIND,
  FUNNEL_TERM,
  INSTALLED_ON,
  PLATFORM_NUMBER,
  type SessionPlatform,
  STAGES,
  SUBJECT_KIND,
} from '../funnel';
import { type AppInstall, toInstallRow } from './app-install';
import { type FunnelFact, FunnelSums, type TrackedLinkRef } from './funnel-sums';
import type { Goal } from '../goal';
import { type Resolution, toResolutionRow } from './resolution';
import { hasReached, type Session, stagesOf } from '../session';
import { Sums } from './sums';
import type { UserDay } from './user-days';

/**
 * Subjects of goals and sessions: the app, its link or campaign, and the total of links, of campaigns or of neither.
 */
interface Subject {
  organization_id: number;
  app_id: number;
  subject_kind: number;
  subject_id: number;
}

/** An app on a day in its organization's time zone. */
interface AppDay {
  organizationId: number;
  appId: number;
  day: string;
}

/**
 * Changes of one transaction to the rollups of sessions, and the installs and resolutions that it inserts. A changed
 * session subtracts its old contribution and adds its new one, so that late stages, links and times are counted
 * exactly.
 */
export class SessionDeltas {
  readonly funnel = new FunnelSums();
  readonly users: UserDay[] = [];
  private readonly installs: AppInstall[] = [];
  private readonly resolutions: Resolution[] = [];
  private readonly sessions = new Sums<
    Subject & { day: string; platform: number },
    {
      sessions: number;
      converted: number;
      purchased: number;
      events: number;
      duration_seconds: number;
      stages: number[];
    }
  >();
  private readonly sources = new Sums<
    { organization_id: number; app_id: number; day: string; utm_source: string },
    { sessions: number; converted: number }
  >();
  private readonly goals = new Sums<
    Subject & { day: string; platform: number; goal_type: string; currency: string },
    { goals: number; value: number }
  >();
  private readonly campaignGoals = new Sums<
    { organization_id: number; campaign_id: number; day: string; goal_type: string; currency: string },
    { goals: number; value: number }
  >();
  private readonly transitions = new Sums<
    { organization_id: number; app_id: number; day: string; from_platform: number; to_platform: number },
    { transitions: number }
  >();
  private readonly events = new Sums<
    { organization_id: number; app_id: number; day: string; event_type: string },
    { events: number }
  >();

  /** @param before null for a new session */
  addSession(before: Session | null, after: Session): void {
    if (before) this.countSession(before, -1);
    this.countSession(after, 1);
    if (after.externalUserId !== null && after.externalUserId !== before?.externalUserId) this.addUser(after);
  }

  addGoal(goal: Goal): void {
    const { organizationId, appId, trackedLink, day, platform, goalType, currency, value } = goal;
    const type = { goal_type: goalType, currency };
    for (const subject of subjectsOf(organizationId, appId, trackedLink)) {
      const key = { ...subject, day, platform: PLATFORM_NUMBER[platform] };
      this.goals.add({ ...key, ...type }, { goals: 1, value });
    }
    if (trackedLink?.kind !== 'campaign') return;
    // Campaign statistics use UTC days.
    const utcDay = goal.occurredAt.toISOString().slice(0, 10);
    const campaign = { organization_id: organizationId, campaign_id: trackedLink.id, day: utcDay };
    this.campaignGoals.add({ ...campaign, ...type }, { goals: 1, value });
  }

  addTransition({ organizationId, appId, day }: AppDay, from: SessionPlatform, to: SessionPlatform): void {
    const platforms = { from_platform: PLATFORM_NUMBER[from], to_platform: PLATFORM_NUMBER[to] };
    this.transitions.add(
      { organization_id: organizationId, app_id: appId, day, ...platforms },
      { transitions: 1 },
    );
  }

  /** Counts an event by type. The session's number of events is part of `addSession`. */
  addEvent({ organizationId, appId, day }: AppDay, eventType: string): void {
    this.events.add(
      { organization_id: organizationId, app_id: appId, day, event_type: eventType },
      { events: 1 },
    );
  }

  addInstall(install: AppInstall): void {
    const { organizationId, trackedLink, appId, country, platform, at } = install;
    this.installs.push(install);
    const terms = [FUNNEL_TERM.country(country)];
    this.funnel.add({ organizationId, trackedLink, appId, at, terms, platform, installed: true });
  }

  addResolution(resolution: Resolution): void {
    const { organizationId, trackedLink, appId, platform, byFingerprint, failure, at } = resolution;
    this.resolutions.push(resolution);
    const terms: number[] = [FUNNEL_TERM.resolution];
    terms.push(failure === null ? FUNNEL_TERM.resolved : FUNNEL_TERM.failure(failure));
    if (failure === null && byFingerprint) terms.push(FUNNEL_TERM.resolvedByFingerprint);
    this.funnel.add({ organizationId, trackedLink, appId, at, terms, platform });
  }

  /** Rows to add to each table, by column name. */
  rows() {
    return {
      sessions: this.sessions.rows(),
      sources: this.sources.rows(),
      goals: this.goals.rows(),
      campaignGoals: this.campaignGoals.rows(),
      transitions: this.transitions.rows(),
      events: this.events.rows(),
      installs: this.installs.map(toInstallRow),
      resolutions: this.resolutions.map(toResolutionRow),
    };
  }

  private countSession(session: Session, times: 1 | -1): void {
    const { organizationId, appId, trackedLink, day, firstPlatform, events, utmSource } = session;
    this.funnel.add(factOf(session), times);
    const converted = Number(hasReached(session, 'GOAL_COMPLETED'));
    const figures = {
      sessions: 1,
      converted,
      purchased: Number(session.purchased),
      events,
      duration_seconds: durationOf(session),
      stages: STAGES.map(([stage]) => Number(hasReached(session, stage))),
    };
    for (const subject of subjectsOf(organizationId, appId, trackedLink)) {
      this.sessions.add({ ...subject, day, platform: PLATFORM_NUMBER[firstPlatform] }, figures, times);
    }
    if (appId === null) return;
    const source = { organization_id: organizationId, app_id: appId, day, utm_source: utmSource ?? '' };
    this.sources.add(source, { sessions: 1, converted }, times);
  }

  private addUser({ organizationId, appId, day, externalUserId }: Session): void {
    if (appId === null || externalUserId === null) return;
    const key = userKey(organizationId, externalUserId);
    this.users.push({ organization_id: organizationId, app_id: appId, user_key: key, day });
  }
}

/** Hexadecimal hash that identifies a user in rollups. */
function userKey(organizationId: number, externalUserId: string): string {
  return hash('sha256', `${organizationId}\n${externalUserId}`).slice(0, 32);
}

function subjectsOf(
  organizationId: number,
  appId: number | null,
  trackedLink: TrackedLinkRef | null,
): Subject[] {
  const common = { organization_id: organizationId, app_id: appId ?? 0 };
  const subjects: Subject[] = [];
  if (appId !== null) {
    const way = SUBJECT_KIND[trackedLink?.kind ?? 'app'];
    subjects.push({ ...common, subject_kind: SUBJECT_KIND.app, subject_id: appId });
    subjects.push({ ...common, subject_kind: way, subject_id: ALL_OF_KIND });
  }
  if (trackedLink)
    subjects.push({ ...common, subject_kind: SUBJECT_KIND[trackedLink.kind], subject_id: trackedLink.id });
  return subjects;
}

function factOf(session: Session): FunnelFact {
  const { organizationId, trackedLink, appId, startedAt, firstPlatform } = session;
  const terms = [FUNNEL_TERM.session, ...stagesOf(session).map(FUNNEL_TERM.stage)];
  const platform = INSTALLED_ON[firstPlatform] ?? null;
  return { organizationId, trackedLink, appId, at: startedAt.getTime(), terms, platform };
}

function durationOf({ startedAt, lastActivityAt }: Session): number {
  return Math.max(0, Math.floor((lastActivityAt.getTime() - startedAt.getTime()) / 1000));
}

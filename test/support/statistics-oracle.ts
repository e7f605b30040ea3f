import { DateTime } from 'luxon';
import { SESSION_PLATFORMS, STAGES } from '../../src/modules/sessions/funnel';
import type { TestApp } from './test-app';

interface RawSession {
  id: string;
  appId: number;
  kind: number | null;
  trackedLinkId: number | null;
  platform: string;
  user: string | null;
  utmSource: string | null;
  startedAt: Date;
  lastActivityAt: Date;
  stages: number;
}

interface RawEvent {
  appId: number;
  sessionId: string;
  type: string;
  at: Date;
}

interface RawTransition {
  sessionId: string;
  from: string;
  to: string;
  at: Date;
}

interface RawGoal {
  appId: number;
  sessionId: string;
  type: string;
  value: number;
  currency: string;
  platform: string;
  kind: number | null;
  trackedLinkId: number | null;
  customId: string | null;
  at: Date;
}

export interface OracleFilter {
  platform?: string;
  /** 1 for a link, 2 for a campaign, 0 for neither. */
  kind?: number;
  trackedLinkId?: number;
}

const LAST_STAGE = 1 << (STAGES.length - 1);

const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10);
const average = (sum: number, n: number) => (n === 0 ? 0 : Math.round((sum / n) * 10) / 10);
const cents = (sum: number, n: number) => (n === 0 ? 0 : Math.round((sum / n) * 100) / 100);
const sumOf = <T>(items: readonly T[], of: (item: T) => number) =>
  items.reduce((sum, item) => sum + of(item), 0);
const distinct = (items: readonly (string | null)[]) => new Set(items.filter((item) => item !== null)).size;

function groups<T>(items: readonly T[], of: (item: T) => string): [string, T[]][] {
  const found = new Map<string, T[]>();
  for (const item of items) found.set(of(item), [...(found.get(of(item)) ?? []), item]);
  return [...found].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
}

/**
 * The figures of an organization's sessions, computed naively from raw rows, literally by their definitions. Days are
 * computed independently; amounts are integer cents.
 */
export class StatisticsOracle {
  private constructor(
    private readonly zone: string,
    private readonly currency: string,
    readonly sessions: readonly RawSession[],
    readonly events: readonly RawEvent[],
    readonly transitions: readonly RawTransition[],
    readonly goals: readonly RawGoal[],
  ) {}

  static async of(
    app: TestApp,
    organizationId: number,
    zone: string,
    currency: string,
  ): Promise<StatisticsOracle> {
    const rows = <Row>(sql: string) => app.sql<Row>(`${sql} WHERE organization_id = $1`, [organizationId]);
    const target = 'kind, tracked_link_id AS "trackedLinkId"';
    const goals = await rows<Omit<RawGoal, 'currency'> & { value: string; currency: string | null }>(
      `SELECT app_id AS "appId", session_id AS "sessionId", goal_type AS type, value, currency, platform, ${target},
              custom_id AS "customId", occurred_at AS at FROM goals`,
    );
    return new StatisticsOracle(
      zone,
      currency,
      await rows<RawSession>(
        `SELECT id, app_id AS "appId", ${target}, first_platform AS platform, external_user_id AS user,
                utm_source AS "utmSource", started_at AS "startedAt", last_activity_at AS "lastActivityAt", stages
           FROM funnel_sessions`,
      ),
      await rows<RawEvent>(
        `SELECT app_id AS "appId", session_id AS "sessionId", event_type AS type, received_at AS at FROM session_events`,
      ),
      await rows<RawTransition>(
        `SELECT session_id AS "sessionId", from_platform AS from, to_platform AS to, occurred_at AS at
           FROM session_transitions`,
      ),
      goals.map((goal) => ({ ...goal, currency: goal.currency ?? currency, value: Number(goal.value) })),
    );
  }

  journey(appId: number, days: readonly string[]) {
    const sessions = this.sessionsOf(appId, days, {});
    const events = this.events.filter((event) => event.appId === appId && days.includes(this.day(event.at)));
    const mine = new Set(this.sessions.filter((each) => each.appId === appId).map(({ id }) => id));
    const moves = this.transitions.filter(
      (move) => mine.has(move.sessionId) && days.includes(this.day(move.at)),
    );
    const users = new Set(sessions.flatMap(({ user }) => user ?? []));
    const before = this.sessions.filter(
      (each) => each.appId === appId && this.day(each.startedAt) < (days[0] ?? ''),
    );
    const known = new Set(before.map(({ user }) => user));
    const converted = sessions.filter(({ stages }) => stages & LAST_STAGE);
    const duration = ({ startedAt, lastActivityAt }: RawSession) =>
      Math.floor((lastActivityAt.getTime() - startedAt.getTime()) / 1000);
    const group = (members: readonly RawSession[]) => {
      const conversions = members.filter(({ stages }) => stages & LAST_STAGE).length;
      const rate = percent(conversions, members.length);
      const percentage = percent(members.length, sessions.length);
      return { sessions: members.length, conversions, conversionRate: rate, percentage };
    };
    const inSessions = this.events.filter(({ sessionId }) => sessions.some(({ id }) => id === sessionId));
    return {
      summary: {
        totalSessions: sessions.length,
        uniqueUsers: users.size,
        totalEvents: events.length,
        conversions: converted.length,
        conversionRate: percent(converted.length, sessions.length),
        avgSessionDurationSeconds: average(sumOf(sessions, duration), sessions.length),
      },
      daily: days.map((date) => {
        const began = sessions.filter(({ startedAt }) => this.day(startedAt) === date);
        return {
          date,
          sessions: began.length,
          uniqueUsers: distinct(began.map(({ user }) => user)),
          events: events.filter(({ at }) => this.day(at) === date).length,
          conversions: began.filter(({ stages }) => stages & LAST_STAGE).length,
        };
      }),
      sessionSummary: {
        totalSessions: sessions.length,
        newUsers: [...users].filter((user) => !known.has(user)).length,
        returningUsers: [...users].filter((user) => known.has(user)).length,
        avgEventsPerSession: average(inSessions.length, sessions.length),
      },
      byPlatform: groups(sessions, ({ platform }) =>
        String(SESSION_PLATFORMS.findIndex((p) => p === platform)),
      ).map(([n, members]) => ({ platform: SESSION_PLATFORMS[Number(n)], ...group(members) })),
      byUtmSource: groups(sessions, ({ utmSource }) => utmSource ?? '').map(([source, members]) => ({
        utmSource: source || null,
        ...group(members),
      })),
      transitions: {
        totalTransitions: moves.length,
        paths: groups(moves, ({ from, to }) =>
          [from, to].map((each) => SESSION_PLATFORMS.findIndex((p) => p === each)).join(),
        ).map(([, members]) => ({
          fromPlatform: members[0]?.from,
          toPlatform: members[0]?.to,
          count: members.length,
          percentage: percent(members.length, moves.length),
        })),
      },
      trend: days.map((date) => ({ date, count: moves.filter(({ at }) => this.day(at) === date).length })),
      topEvents: groups(events, ({ type }) => type)
        .slice(0, 10)
        .map(([name, { length }]) => ({ name, count: length, percentage: percent(length, events.length) })),
    };
  }

  revenue(appId: number | null, days: readonly string[], filter: OracleFilter) {
    const sessions = this.sessionsOf(appId, days, filter);
    const goals = this.goalsOf(appId, days, filter);
    const own = goals.filter(({ type, currency }) => type === 'purchase' && currency === this.currency);
    const total = money(own);
    const bought = sessions.filter(({ id }) =>
      this.goals.some(({ type, sessionId }) => type === 'purchase' && sessionId === id),
    );
    const purchases = (of: readonly RawGoal[]) => ({
      revenue: money(of.filter((goal) => own.includes(goal))),
      purchases: of.filter(({ type }) => type === 'purchase').length,
    });
    const cart = goals.filter(
      ({ type, currency }) => ['add_to_cart', 'addToCart'].includes(type) && currency === this.currency,
    );
    return {
      totalRevenue: total,
      purchaseSessions: bought.length,
      purchaseConversionRate: percent(bought.length, sessions.length),
      averageOrderValue: cents(total, own.length),
      revenuePerSession: cents(total, sessions.length),
      cartValue: money(cart),
      revenueByGoalType: this.byGoalType(goals),
      dailyRevenue: days.map((date) => ({
        date,
        ...purchases(goals.filter(({ at }) => this.day(at) === date)),
      })),
      revenueByPlatform: SESSION_PLATFORMS.map((platform) => ({
        platform: platform.toLowerCase(),
        ...purchases(goals.filter((goal) => goal.platform === platform)),
        sessions: sessions.filter((session) => session.platform === platform).length,
        goals: goals.filter((goal) => goal.platform === platform).length,
      }))
        .filter((each) => each.sessions > 0 || each.goals > 0)
        .map(({ goals: _, ...each }) => each)
        .sort((a, b) => b.revenue - a.revenue),
    };
  }

  conversions(appId: number | null, days: readonly string[], filter: OracleFilter) {
    const sessions = this.sessionsOf(appId, days, filter);
    const goals = this.goalsOf(appId, days, filter);
    const reached = (i: number) => sessions.filter(({ stages }) => stages & (1 << i)).length;
    const converted = reached(STAGES.length - 1);
    return {
      sessionStats: {
        totalSessions: sessions.length,
        convertedSessions: converted,
        conversionRate: percent(converted, sessions.length),
      },
      platformDistribution: groups(sessions, ({ platform }) =>
        String(SESSION_PLATFORMS.findIndex((p) => p === platform)),
      ).map(([n, { length }]) => ({
        platform: SESSION_PLATFORMS[Number(n)]?.toLowerCase(),
        sessions: length,
        percentage: percent(length, sessions.length),
      })),
      goalTypeBreakdown: groups(goals, ({ type }) => type).map(([goalType, of]) => ({
        goalType,
        count: of.length,
        value: money(of.filter(({ currency }) => currency === this.currency)),
        percentage: percent(of.length, goals.length),
      })),
      funnelStats: {
        totalSessions: sessions.length,
        completedSessions: converted,
        overallConversionRate: percent(converted, sessions.length),
        stages: STAGES.map(([stageCode, stageName], i) => ({
          stageCode,
          stageName,
          stageOrder: i + 1,
          sessionsReached: reached(i),
          conversionRate: percent(reached(i), reached(0)),
          percentOfTotal: percent(reached(i), sessions.length),
        })),
      },
    };
  }

  /** Conversions by id of the link (1) or campaign (2), in descending order. */
  top(
    kind: number,
    days: readonly string[],
    appId: number | null,
    goalType: string | null,
    currency: string | null = null,
  ): [number, number][] {
    const goals = this.goals.filter(
      (goal) =>
        goal.kind === kind &&
        days.includes(this.day(goal.at)) &&
        (appId === null || goal.appId === appId) &&
        (goalType === null || goal.type === goalType) &&
        (currency === null || goal.currency === currency),
    );
    return groups(goals, ({ trackedLinkId }) => String(trackedLinkId))
      .map(([id, { length }]): [number, number] => [Number(id), length])
      .sort(([a, m], [b, n]) => n - m || a - b);
  }

  goalTypes(appId: number | null, days: readonly string[]): string[] {
    return [...new Set(this.goalsOf(appId, days, {}).map(({ type }) => type))].sort();
  }

  /** Figures of a campaign by UTC day. */
  campaign(campaignId: number, days: readonly string[], customId: string | null) {
    const utc = (at: Date) => at.toISOString().slice(0, 10);
    const goals = this.goals.filter(
      (goal) =>
        goal.kind === 2 &&
        goal.trackedLinkId === campaignId &&
        days.includes(utc(goal.at)) &&
        (customId === null || goal.customId === customId),
    );
    const purchases = goals.filter(({ type }) => type === 'purchase');
    const own = purchases.filter(({ currency }) => currency === this.currency);
    return {
      totalRevenue: money(own),
      purchaseCount: purchases.length,
      averageOrderValue: cents(money(own), own.length),
      dailyRevenue: days.map((date) => ({
        date,
        revenue: money(own.filter(({ at }) => utc(at) === date)),
        purchases: purchases.filter(({ at }) => utc(at) === date).length,
      })),
      revenueByGoalType: this.byGoalType(goals),
    };
  }

  eventLog(appId: number | null, days: readonly string[]) {
    const mine = (of: readonly string[]) =>
      this.events.filter((each) => (appId ?? each.appId) === each.appId && of.includes(this.day(each.at)));
    const events = mine(days);
    const sessions = (of: readonly RawEvent[]) => distinct(of.map(({ sessionId }) => sessionId));
    const types = groups(events, ({ type }) => type);
    return {
      summary: {
        totalEvents: events.length,
        uniqueSessions: sessions(events),
        uniqueEventNames: types.length,
        avgEventsPerSession: average(events.length, sessions(events)),
      },
      trend: (of: readonly string[]) => ({ totalCount: mine(of).length, uniqueSessions: sessions(mine(of)) }),
      topEvents: types.map(([eventName, of]) => ({
        eventName,
        count: of.length,
        uniqueSessions: sessions(of),
      })),
      typeDistribution: types.map(([eventType, { length }]) => ({ eventType, count: length })),
    };
  }

  private byGoalType(goals: readonly RawGoal[]) {
    return groups(goals, ({ type, currency }) => `${type}\n${currency}`).map(([key, of]) => {
      const [goalType, currency] = key.split('\n');
      const value = money(of);
      return { goalType, currency, count: of.length, revenue: goalType === 'purchase' ? value : 0, value };
    });
  }

  private sessionsOf(appId: number | null, days: readonly string[], filter: OracleFilter): RawSession[] {
    return this.sessions.filter(
      (each) =>
        (appId ?? each.appId) === each.appId && days.includes(this.day(each.startedAt)) && fits(each, filter),
    );
  }

  private goalsOf(appId: number | null, days: readonly string[], filter: OracleFilter): RawGoal[] {
    return this.goals.filter(
      (each) =>
        (appId ?? each.appId) === each.appId && days.includes(this.day(each.at)) && fits(each, filter),
    );
  }

  private day(at: Date): string {
    return DateTime.fromJSDate(at, { zone: this.zone }).toISODate() ?? '';
  }
}

function fits(
  each: { platform: string; kind: number | null; trackedLinkId: number | null },
  { platform, kind, trackedLinkId }: OracleFilter,
): boolean {
  return (
    (platform === undefined || each.platform === platform) &&
    (kind === undefined || (each.kind ?? 0) === kind) &&
    (trackedLinkId === undefined || each.trackedLinkId === trackedLinkId)
  );
}

function money(goals: readonly RawGoal[]): number {
  return sumOf(goals, ({ value }) => Math.round(value * 100)) / 100;
}

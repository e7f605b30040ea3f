import { Injectable } from '@nestjs/common';
import { Database } from '../../../infrastructure/database/database';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../../clicks/click';
import type { Breakdown, ValueFilter } from '../../click-statistics/breakdowns/breakdowns';
import { filterSql, Parameters, valueSql } from '../../click-statistics/breakdowns/click-values.sql';
import { PURCHASE } from '../funnel';

export const MOST_GOAL_GROUPS = 1_000;

export interface GoalGroupsQuestion {
  organizationId: number;
  breakdown: Breakdown;
  filters: readonly ValueFilter[];
  /** Days of the organization; null for all days. */
  range: { startDate: string; endDate: string } | null;
}

/** Links or campaigns whose goals are read from rollups. */
export interface GoalSubjects extends Omit<GoalGroupsQuestion, 'breakdown' | 'filters'> {
  kind: TrackedLinkKind;
  /** Null for all. */
  ids: readonly string[] | null;
}

export interface GoalGroup {
  key: string;
  goals: number;
  /** Amounts of purchases by currency. */
  revenue: ReadonlyMap<string, number>;
}

interface Row {
  key: string;
  /** Null for goals other than purchases. */
  currency: string | null;
  goals: number;
  amount: string;
}

/** Goals that links and campaigns led to, by the values of a dimension with the most goals. */
@Injectable()
export class GoalGroupsQuery {
  constructor(private readonly database: Database) {}

  /** Reads rollups. */
  ofSubjects(subjects: GoalSubjects): Promise<GoalGroup[]> {
    const { organizationId, kind, ids, range } = subjects;
    const parameters = new Parameters();
    const conditions = [
      `organization_id = ${parameters.add(organizationId)}`,
      `subject_kind = ${TRACKED_LINK_KIND[kind]}`,
      ids === null ? 'subject_id <> 0' : `subject_id = ANY(${parameters.add(ids)}::bigint[])`,
      ...daysOf(range, 'day', parameters),
    ];
    const goals = `
      SELECT subject_id::text AS key, goal_type, currency, goals, value AS amount
        FROM goal_rollups WHERE ${conditions.join(' AND ')}`;
    return this.read(organizationId, goals, parameters);
  }

  /** Reads individual goals, joined with the clicks that started their sessions. */
  ofClicks(question: GoalGroupsQuestion): Promise<GoalGroup[]> {
    const { organizationId, breakdown, filters, range } = question;
    const parameters = new Parameters();
    const organization = parameters.add(organizationId);
    const { value, joins, name } = valueSql(breakdown);
    const days = daysOf(range, 'g.day', parameters);
    const conditions = filterSql(filters, parameters, organization);
    const goals = `
      SELECT ${name} AS key, goal_type, currency, 1 AS goals, amount
        FROM (SELECT ${value} AS value, c.goal_type, c.currency, c.amount
                FROM (${clicksOfGoals(organization, days)}) AS c ${joins}
               ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}) AS valued`;
    return this.read(organizationId, goals, parameters);
  }

  /** @param goals SQL query for key, goal_type, currency, goals, amount */
  private async read(organizationId: number, goals: string, parameters: Parameters): Promise<GoalGroup[]> {
    const sql = `
      WITH sums AS MATERIALIZED (
        SELECT key, CASE WHEN goal_type = '${PURCHASE}' THEN currency END AS currency, sum(goals)::bigint AS goals,
               sum(amount) AS amount
          FROM (${goals}) AS counted GROUP BY 1, 2),
      largest AS (
        SELECT key, sum(goals) AS goals FROM sums GROUP BY key HAVING sum(goals) > 0
         ORDER BY goals DESC, key COLLATE "C" LIMIT ${MOST_GOAL_GROUPS})
      SELECT sums.key, sums.currency, sums.goals, sums.amount
        FROM largest JOIN sums ON sums.key = largest.key
       ORDER BY largest.goals DESC, sums.key COLLATE "C", sums.goals DESC, sums.currency`;
    return groupsOf(await this.database.reportRows<Row>(organizationId, sql, parameters.values));
  }
}

function daysOf(range: GoalGroupsQuestion['range'], day: string, parameters: Parameters): string[] {
  if (range === null) return [];
  return [`${day} BETWEEN ${parameters.add(range.startDate)} AND ${parameters.add(range.endDate)}`];
}

/**
 * SQL query for goals with the columns of clicks, so that dimensions and filters work for both. Sessions without a
 * click have the country and utm values that their app reported.
 */
function clicksOfGoals(organization: string, days: readonly string[]): string {
  return `
    SELECT g.organization_id, g.kind, g.tracked_link_id, g.app_id, g.goal_type, g.currency, g.value AS amount,
           coalesce(k.dimensions, ARRAY['country:' || s.country, NULL, NULL, NULL, NULL, 'utm_source:' || s.utm_source,
             'utm_medium:' || s.utm_medium, 'utm_term:' || s.utm_term, 'utm_content:' || s.utm_content]) AS dimensions
      FROM goals g
      LEFT JOIN funnel_sessions s ON s.organization_id = g.organization_id AND s.id = g.session_id
      LEFT JOIN clicks k
        ON k.organization_id = g.organization_id AND k.clicked_at = s.started_at AND k.id = s.click_id
     WHERE ${['g.organization_id = ' + organization, 'g.kind IS NOT NULL', ...days].join(' AND ')}`;
}

function groupsOf(rows: readonly Row[]): GoalGroup[] {
  const groups = new Map<string, { key: string; goals: number; revenue: Map<string, number> }>();
  for (const { key, currency, goals, amount } of rows) {
    const group = groups.get(key) ?? { key, goals: 0, revenue: new Map<string, number>() };
    group.goals += goals;
    if (currency !== null) group.revenue.set(currency, Number(amount));
    groups.set(key, group);
  }
  return [...groups.values()];
}

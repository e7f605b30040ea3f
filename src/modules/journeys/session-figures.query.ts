import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND } from '../clicks/click';
import { PURCHASE } from '../sessions/funnel';
import type { Tx } from '../../infrastructure/database/database';

/** Data about a session in other tables. */
export interface SessionFigures {
  id: string;
  appName: string | null;
  linkName: string | null;
  goals: number;
  purchases: number;
  /** Sum of the purchases in the base currency, as a decimal string. */
  revenue: string;
  installedAt: Date | null;
}

@Injectable()
export class SessionFiguresQuery {
  async run(
    tx: Tx,
    organizationId: number,
    ids: readonly string[],
    baseCurrency: string,
  ): Promise<ReadonlyMap<string, SessionFigures>> {
    if (ids.length === 0) return new Map();
    const rows = await tx.query<SessionFigures>(SQL, [organizationId, ids, baseCurrency]);
    return new Map(rows.map((row) => [row.id, row]));
  }
}

const ofKind = (kind: keyof typeof TRACKED_LINK_KIND, table: string) =>
  `${table}.id = s.tracked_link_id AND ${table}.organization_id = $1 AND s.kind = ${TRACKED_LINK_KIND[kind]}`;

const SQL = `
  SELECT s.id, apps.app_name AS "appName", coalesce(links.title, links.code, campaigns.name) AS "linkName",
         g.goals, g.purchases, g.revenue, i.installed_at AS "installedAt"
    FROM funnel_sessions AS s
    LEFT JOIN apps ON apps.id = s.app_id AND apps.organization_id = $1
    LEFT JOIN links ON ${ofKind('link', 'links')}
    LEFT JOIN campaigns ON ${ofKind('campaign', 'campaigns')}
    LEFT JOIN app_installs AS i ON i.organization_id = $1 AND i.session_id = s.id
   CROSS JOIN LATERAL (
     SELECT count(*) AS goals, count(*) FILTER (WHERE goal_type = '${PURCHASE}') AS purchases,
            coalesce(sum(value) FILTER (WHERE goal_type = '${PURCHASE}' AND currency = $3), 0) AS revenue
       FROM goals WHERE organization_id = $1 AND session_id = s.id) AS g
   WHERE s.organization_id = $1 AND s.id = ANY ($2::uuid[])`;

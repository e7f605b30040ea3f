import { Injectable } from '@nestjs/common';
import { Database } from '../../infrastructure/database/database';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../clicks/click';
import { type Concern, examplesOf, type Found, toFound } from './concern';

/** Unhealthy links or campaigns, except archived, switched-off and expired ones. */
@Injectable()
export class LinkAttentionQuery {
  constructor(private readonly database: Database) {}

  async run(kind: TrackedLinkKind, organizationId: number, now: Date): Promise<Found> {
    const values = [organizationId, now];
    return toFound(
      await this.database.reportRows<Concern & { count: number }>(organizationId, SQL[kind], values),
    );
  }
}

const unhealthy = (kind: TrackedLinkKind, table: string, name: string) =>
  examplesOf(`
    SELECT l.id, ${name} AS name, h.problem AS reason, coalesce(h.unhealthy_since, h.failed_at[1]) AS since
      FROM link_health AS h JOIN ${table} AS l ON l.id = h.tracked_link_id
     WHERE h.organization_id = $1 AND h.kind = ${TRACKED_LINK_KIND[kind]} AND h.status = 'unhealthy'
       AND l.organization_id = $1 AND l.deleted_at IS NULL AND NOT l.archived AND l.enabled
       AND (l.expires_at IS NULL OR l.expires_at > $2)`);

const SQL: Readonly<Record<TrackedLinkKind, string>> = {
  link: unhealthy('link', 'links', 'coalesce(l.title, l.code)'),
  campaign: unhealthy('campaign', 'campaigns', 'l.name'),
};

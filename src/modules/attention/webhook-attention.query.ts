import { Injectable } from '@nestjs/common';
import { Database } from '../../infrastructure/database/database';
import type { WebhookEndpoint } from '../webhooks/endpoints/webhook-endpoint';
import { WebhookEndpointsRepository } from '../webhooks/endpoints/webhook-endpoints.repository';
import { type Concern, type Found, MAX_COUNTED, MAX_EXAMPLES } from './concern';

/** More than the 50 endpoints that an organization may have. */
const ALL = 100;

/** Deliveries overdue for longer are waiting for a worker, not just for their turn. */
const OVERDUE_MS = 60_000;

/** Webhook endpoints that fail or have been disabled because of failures, and overdue deliveries. */
@Injectable()
export class WebhookAttentionQuery {
  constructor(
    private readonly database: Database,
    private readonly endpoints: WebhookEndpointsRepository,
  ) {}

  /** Excludes endpoints that the console has disabled. */
  async unwell(organizationId: number): Promise<Found> {
    const [all] = await this.endpoints.list(organizationId, 0, ALL);
    const concerns = all.flatMap((endpoint): Concern[] => {
      const { id, enabled, disabledReason, disabledAt, failingSince } = endpoint;
      const name = nameOf(endpoint);
      if (enabled) return failingSince ? [{ id, name, reason: 'FAILING', since: failingSince }] : [];
      return disabledReason === 'CONSOLE' ? [] : [{ id, name, reason: disabledReason, since: disabledAt }];
    });
    return { count: concerns.length, concerns: latest(concerns) };
  }

  async backlog(organizationId: number, now: Date): Promise<Found> {
    const overdue = new Date(now.getTime() - OVERDUE_MS);
    const rows = await this.database.reportRows<Waiting>(organizationId, BACKLOG, [organizationId, overdue]);
    if (rows.length === 0) return { count: 0, concerns: [] };
    const [all] = await this.endpoints.list(organizationId, 0, ALL);
    const concerns = rows.flatMap(({ id, since }): Concern[] => {
      const endpoint = all.find((each) => each.id === id);
      return endpoint ? [{ id, name: nameOf(endpoint), since }] : [];
    });
    const count = rows.reduce((sum, { waiting }) => sum + waiting, 0);
    return { count: Math.min(count, MAX_COUNTED), concerns: latest(concerns) };
  }
}

interface Waiting {
  id: number;
  waiting: number;
  since: Date;
}

// Reads only the overdue part of each endpoint's index.
const BACKLOG = `
  SELECT w.id, d.waiting, d.since
    FROM webhook_endpoints AS w
   CROSS JOIN LATERAL (
     SELECT count(*) AS waiting, min(next_at) AS since
       FROM (SELECT next_at FROM webhook_deliveries
              WHERE organization_id = $1 AND endpoint_id = w.id AND status = 'PENDING' AND next_at <= $2
              ORDER BY next_at LIMIT ${MAX_COUNTED}) AS due) AS d
   WHERE w.organization_id = $1 AND w.enabled AND w.deleted_at IS NULL AND d.waiting > 0`;

/** The host name only, because the receiver's URL may contain secrets. */
function nameOf({ url }: WebhookEndpoint): string {
  return new URL(url).host;
}

function latest(concerns: readonly Concern[]): Concern[] {
  const at = ({ since }: Concern) => since?.getTime() ?? 0;
  return [...concerns].sort((a, b) => at(b) - at(a)).slice(0, MAX_EXAMPLES);
}

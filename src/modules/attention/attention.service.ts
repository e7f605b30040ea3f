import { Injectable } from '@nestjs/common';
import { hasRole } from '../../access/administration';
import type { Caller } from '../../access/caller';
import { ROLE_OF_SCOPE } from '../../access/roles';
import { covers, EVERY_SCOPE, type Scope } from '../../access/scopes';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';
import type { WebhookEndpoint } from '../webhooks/endpoints/webhook-endpoint';
import { WebhookEndpointsRepository } from '../webhooks/endpoints/webhook-endpoints.repository';
import { type AttentionResponse, toAttentionItem } from './attention.dto';
import { BACKLOG, DOMAINS, EXPIRING_KEYS, MAX_COUNTED, MAX_EXAMPLES, UNHEALTHY } from './attention.sql';
import { ATTENTION_KINDS, type AttentionKind, type Concern, type Found } from './concern';

/** More than the 50 endpoints that an organization may have. */
const ALL = 100;

/** Deliveries overdue for longer are waiting for a worker, not just for their turn. */
const OVERDUE_MS = 60_000;

/** An API key expires soon within this time. */
const SOON_MS = 14 * 86_400_000;

interface Waiting {
  id: number;
  waiting: number;
  since: Date;
}

/** Collects what needs the organization's attention, within the role and the scopes of the caller. */
@Injectable()
export class AttentionService {
  constructor(
    private readonly database: Database,
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly clock: Clock,
  ) {}

  async get(caller: Caller): Promise<AttentionResponse> {
    const now = this.clock.date();
    const kinds = ATTENTION_KINDS.filter((kind) => mayRead(caller, kind));
    const items = await Promise.all(
      kinds.map(async (kind) => toAttentionItem(kind, await this.find(kind, caller.organizationId, now))),
    );
    return { items: items.filter(({ count }) => count > 0) };
  }

  private find(kind: AttentionKind, organizationId: number, now: Date): Promise<Found> {
    switch (kind) {
      case 'CUSTOM_DOMAINS':
        return this.rows(DOMAINS, organizationId);
      case 'UNHEALTHY_LINKS':
        return this.rows(UNHEALTHY.link, organizationId, now);
      case 'UNHEALTHY_CAMPAIGNS':
        return this.rows(UNHEALTHY.campaign, organizationId, now);
      case 'WEBHOOKS':
        return this.unwellEndpoints(organizationId);
      case 'WEBHOOK_BACKLOG':
        return this.backlog(organizationId, now);
      case 'EXPIRING_API_KEYS':
        return this.rows(EXPIRING_KEYS, organizationId, now, new Date(now.getTime() + SOON_MS));
    }
  }

  private async rows(sql: string, organizationId: number, ...values: Date[]): Promise<Found> {
    type Row = Concern & { count: number };
    const rows = await this.database.reportRows<Row>(organizationId, sql, [organizationId, ...values]);
    return { count: rows[0]?.count ?? 0, concerns: rows.map(({ count: _, ...concern }) => concern) };
  }

  /** Excludes endpoints that a user or an API key has disabled. */
  private async unwellEndpoints(organizationId: number): Promise<Found> {
    const [all] = await this.endpoints.list(organizationId, 0, ALL);
    const concerns = all.flatMap((endpoint): Concern[] => {
      const { id, enabled, disabledReason, disabledAt, failingSince } = endpoint;
      const name = nameOf(endpoint);
      if (enabled) return failingSince ? [{ id, name, reason: 'FAILING', since: failingSince }] : [];
      return disabledReason === 'MANUAL' ? [] : [{ id, name, reason: disabledReason, since: disabledAt }];
    });
    return { count: concerns.length, concerns: latest(concerns) };
  }

  private async backlog(organizationId: number, now: Date): Promise<Found> {
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

/** The scope of what each kind is about; null for keys, which no scope covers. */
const SCOPE_OF_KIND: Readonly<Record<AttentionKind, Scope | null>> = {
  CUSTOM_DOMAINS: 'domains:read',
  UNHEALTHY_LINKS: 'links:read',
  UNHEALTHY_CAMPAIGNS: 'campaigns:read',
  WEBHOOKS: 'webhooks:read',
  WEBHOOK_BACKLOG: 'webhooks:read',
  EXPIRING_API_KEYS: null,
};

function mayRead(caller: Caller, kind: AttentionKind): boolean {
  const scope = SCOPE_OF_KIND[kind];
  if (scope === null) return hasRole(caller, 'ADMIN') && caller.scopes?.has(EVERY_SCOPE) !== false;
  return hasRole(caller, ROLE_OF_SCOPE[scope]) && covers(caller.scopes, scope);
}

/** Of a URL the host name only, because the receiver's URL may contain secrets. */
function nameOf({ id, url }: WebhookEndpoint): string {
  return url === null ? `#${id}` : new URL(url).host;
}

function latest(concerns: readonly Concern[]): Concern[] {
  const at = ({ since }: Concern) => since?.getTime() ?? 0;
  return [...concerns].sort((a, b) => at(b) - at(a)).slice(0, MAX_EXAMPLES);
}

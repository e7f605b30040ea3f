import { Injectable } from '@nestjs/common';
import { hasRole } from '../../access/administration';
import type { Caller } from '../../access/caller';
import { ROLE_OF_SCOPE } from '../../access/roles';
import { covers, EVERY_SCOPE, type Scope } from '../../access/scopes';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';
import { WebhookEndpointsRepository } from '../webhooks/endpoints/webhook-endpoints.repository';
import {
  ATTENTION_KINDS,
  type AttentionKind,
  type AttentionResponse,
  type Concern,
  type Found,
  toAttentionItem,
} from './attention.dto';
import {
  BACKLOG,
  DOMAINS,
  EXPIRING_KEYS,
  MAX_COUNTED,
  MAX_EXAMPLES,
  UNHEALTHY,
  UNWELL_ENDPOINTS,
} from './attention.sql';

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

  private async unwellEndpoints(organizationId: number): Promise<Found> {
    const { count, concerns } = await this.rows(UNWELL_ENDPOINTS, organizationId);
    return { count, concerns: await this.named(organizationId, concerns) };
  }

  private async backlog(organizationId: number, now: Date): Promise<Found> {
    const overdue = new Date(now.getTime() - OVERDUE_MS);
    const rows = await this.database.reportRows<Waiting>(organizationId, BACKLOG, [organizationId, overdue]);
    const count = rows.reduce((sum, { waiting }) => sum + waiting, 0);
    const latest = rows.slice(0, MAX_EXAMPLES).map(({ id, since }) => ({ id, since }));
    return { count: Math.min(count, MAX_COUNTED), concerns: await this.named(organizationId, latest) };
  }

  /** Names endpoints by the host of their URL only, because the URL may contain secrets. */
  private async named(
    organizationId: number,
    concerns: readonly Omit<Concern, 'name'>[],
  ): Promise<Concern[]> {
    const endpoints = await this.endpoints.withIds(
      organizationId,
      concerns.map(({ id }) => id),
    );
    return concerns.map((concern) => {
      const url = endpoints.find(({ id }) => id === concern.id)?.url;
      return { ...concern, name: url ? new URL(url).host : `#${concern.id}` };
    });
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

import { Injectable } from '@nestjs/common';
import { hasRole } from '../../access/administration';
import type { Caller } from '../../access/caller';
import { Clock } from '../../common/time/clock';
import { type AttentionResponse, toAttentionItem } from './attention.dto';
import { ATTENTION_KINDS, type AttentionKind, type Found } from './concern';
import { DomainAttentionQuery } from './domain-attention.query';
import { KeyAttentionQuery } from './key-attention.query';
import { LinkAttentionQuery } from './link-attention.query';
import { WebhookAttentionQuery } from './webhook-attention.query';

type Look = (organizationId: number, now: Date) => Promise<Found>;

/** Collects what needs the organization's attention, within the permissions of the caller. */
@Injectable()
export class AttentionService {
  private readonly looks: Readonly<Record<AttentionKind, Look>>;

  constructor(
    domains: DomainAttentionQuery,
    links: LinkAttentionQuery,
    webhooks: WebhookAttentionQuery,
    keys: KeyAttentionQuery,
    private readonly clock: Clock,
  ) {
    this.looks = {
      CUSTOM_DOMAINS: (organizationId) => domains.run(organizationId),
      UNHEALTHY_LINKS: (organizationId, now) => links.run('link', organizationId, now),
      UNHEALTHY_CAMPAIGNS: (organizationId, now) => links.run('campaign', organizationId, now),
      WEBHOOKS: (organizationId) => webhooks.unwell(organizationId),
      WEBHOOK_BACKLOG: (organizationId, now) => webhooks.backlog(organizationId, now),
      EXPIRING_API_KEYS: (organizationId, now) => keys.run(organizationId, now),
    };
  }

  async get(caller: Caller): Promise<AttentionResponse> {
    const now = this.clock.date();
    const kinds = ATTENTION_KINDS.filter((kind) => hasRole(caller, ROLE_OF_KIND[kind] ?? 'VIEWER'));
    const items = await Promise.all(
      kinds.map(async (kind) => toAttentionItem(kind, await this.looks[kind](caller.organizationId, now))),
    );
    return { items: items.filter(({ count }) => count > 0) };
  }
}

/** Kinds about data that only this role may read. */
const ROLE_OF_KIND: Partial<Record<AttentionKind, 'ADMIN'>> = {
  WEBHOOKS: 'ADMIN',
  WEBHOOK_BACKLOG: 'ADMIN',
  EXPIRING_API_KEYS: 'ADMIN',
};

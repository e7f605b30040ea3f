import { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { InjectQueue } from '@nestjs/bull';
import { Injectable } from '@nestjs/common';
import type { AuditChanges } from '../../../access/audit/audit-entry.entity';
import { AuditLog, changesBetween } from '../../../access/audit/audit-log';
import type { Caller } from '../../../access/caller';
import { ValidationFailed } from '../../../common/errors/errors';
import { isUrl } from '../../../common/host-name';
import { isPublicAddress } from '../../../common/outgoing/public-address';
import type { PageQuery } from '../../../common/pagination/page';
import { Clock } from '../../../common/time/clock';
import { Config } from '../../../config/config';
import { Database, type Tx } from '../../../infrastructure/database/database';
import { WakeUpQueue } from '../../../infrastructure/jobs/wake-up-queue';
import type { WebhookEndpoint, WebhookEndpointSettings } from '../endpoints/webhook-endpoint';
import { WebhookEndpointsRepository } from '../endpoints/webhook-endpoints.repository';
import { createSecret, promoteSecret, rotateSecrets } from '../endpoints/webhook-secrets';
import { FILTERS } from '../outbox/endpoint-filters';
import { DELIVERIES_QUEUE } from '../outbox/webhook-outbox';
import { FilteredResourcesQuery } from './filtered-resources.query';
import type { CreateWebhookRequest, UpdateWebhookRequest } from './webhook-endpoints.dto';

const PULLED = 'must not be combined with delivery PULL';

@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly rows: WebhookEndpointsRepository,
    private readonly database: Database,
    private readonly audit: AuditLog,
    @InjectQueue(DELIVERIES_QUEUE) private readonly queue: WakeUpQueue,
    private readonly clock: Clock,
    private readonly filtered: FilteredResourcesQuery,
    private readonly config: Config,
  ) {}

  list({ organizationId }: Caller, { page, size }: PageQuery): Promise<[WebhookEndpoint[], total: number]> {
    return this.rows.list(organizationId, page, size);
  }

  /** @throws NotFound */
  get({ organizationId }: Caller, id: number): Promise<WebhookEndpoint> {
    return this.rows.get(organizationId, id);
  }

  /** @throws ValidationFailed, LimitReached */
  async create(caller: Caller, request: CreateWebhookRequest): Promise<WebhookEndpoint> {
    const { delivery, url = null, events, enabled } = request;
    if (delivery === 'PULL' && url !== null) throw ValidationFailed.field('url', PULLED);
    if (delivery === 'PUSH' && url === null) throw ValidationFailed.field('url', 'is required');
    if (url !== null) this.check(url);
    const settings = {
      url,
      events: [...new Set(events)],
      filters: await this.filtered.after(caller.organizationId, request, null),
      enabled,
      secrets: [{ value: createSecret(), replacedAt: null }],
    };
    const id = await this.database.write(async (tx) => {
      const { webhookEndpoints } = caller.organization.limits;
      const created = await this.rows.insert(tx, caller.organizationId, settings, webhookEndpoints);
      await this.record(tx, caller, 'webhook.create', created, changesOf({}, settings));
      return created;
    });
    return this.get(caller, id);
  }

  /** @throws NotFound, ValidationFailed */
  async update(caller: Caller, id: number, request: UpdateWebhookRequest): Promise<WebhookEndpoint> {
    const { url, events, enabled, promote } = request;
    if (typeof url === 'string') this.check(url);
    const known = await this.get(caller, id);
    const filters = await this.filtered.after(caller.organizationId, request, known.filters);
    await this.change(caller, id, 'webhook.update', (before) => {
      if (before.url === null && typeof url === 'string') throw ValidationFailed.field('url', PULLED);
      return {
        ...before,
        url: url ?? before.url,
        events: events ? [...new Set(events)] : before.events,
        filters,
        enabled: enabled ?? before.enabled,
        secrets: promote === true ? promoteSecret(before.secrets) : before.secrets,
      };
    });
    // Deliveries may have become due while the endpoint was disabled.
    this.queue.notify({ organizationId: caller.organizationId, id });
    return this.get(caller, id);
  }

  /** @throws NotFound */
  async rotateSecret(caller: Caller, id: number): Promise<WebhookEndpoint> {
    await this.change(caller, id, 'webhook.rotate_secret', (before) => ({
      ...before,
      secrets: rotateSecrets(before.secrets, this.clock.now()),
    }));
    return this.get(caller, id);
  }

  /** @throws NotFound */
  async remove(caller: Caller, id: number): Promise<void> {
    const { organizationId } = caller;
    await this.database.write(async (tx) => {
      const before = await this.rows.lock(tx, organizationId, id);
      await this.rows.remove(tx, organizationId, id);
      await this.record(tx, caller, 'webhook.delete', id, {
        url: { from: originOf(before.url), to: null },
      });
    });
  }

  private async change(
    caller: Caller,
    id: number,
    action: string,
    changed: (before: WebhookEndpoint) => WebhookEndpointSettings,
  ): Promise<void> {
    await this.database.write(async (tx) => {
      const before = await this.rows.lock(tx, caller.organizationId, id);
      const after = changed(before);
      if (isDeepStrictEqual(before, after)) return;
      await this.rows.update(tx, before, after);
      await this.record(tx, caller, action, id, changesOf(before, after));
    });
  }

  private check(url: string): void {
    const problem = receiverProblem(url, this.config.outboundAllowPrivate);
    if (problem !== null) throw ValidationFailed.field('url', problem);
  }

  private record(tx: Tx, caller: Caller, action: string, id: number, changes: AuditChanges): Promise<void> {
    return this.audit.record(tx, caller, { action, resourceType: 'webhook', resourceId: id, changes });
  }
}

/** Changes for the audit log. Of URLs only the origin is included, because the rest often contains a secret. */
function changesOf(before: Partial<WebhookEndpointSettings>, after: WebhookEndpointSettings): AuditChanges {
  const changes = changesBetween(auditedOf(before), auditedOf(after));
  if (before.url !== after.url) changes.url = { from: originOf(before.url), to: originOf(after.url) };
  return changes;
}

function originOf(url: string | null | undefined): string | null {
  return url ? new URL(url).origin : null;
}

function auditedOf({ events, filters, enabled, secrets }: Partial<WebhookEndpointSettings>) {
  const [links, campaigns, tags, apps] = FILTERS.map((kind) => filters?.[kind]);
  return { events, filters: filters && { links, campaigns, tags, apps }, enabled, secrets: secrets?.length };
}

/**
 * Validates the URL of a receiver. Host names are resolved, and their addresses checked, at each delivery.
 * @param anywhere whether any address and port, and http, are accepted (OUTBOUND_ALLOW_PRIVATE)
 * @returns the problem, worded to follow the field's name; null if the URL is valid
 */
export function receiverProblem(text: string, anywhere: boolean): string | null {
  if (/[\s\\]/.test(text) || !isUrl(text)) return 'must be a valid URL that starts with https://';
  const { protocol, port, username, password, hostname, hash } = new URL(text);
  if (protocol !== 'https:' && !(anywhere && protocol === 'http:')) {
    return 'must be a valid URL that starts with https://';
  }
  if (username !== '' || password !== '') return 'must not have a user name or password';
  if (hash !== '') return 'must not have a fragment';
  if (anywhere) return null;
  if (port !== '') return 'must be on port 443';
  const host = hostname.replace(/^\[|\]$/g, '');
  const local = /(?:^|\.)localhost\.?$/.test(host) || (isIP(host) !== 0 && !isPublicAddress(host));
  return local ? 'must not be a private, local or reserved address' : null;
}

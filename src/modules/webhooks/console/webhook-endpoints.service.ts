import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import type { AuditChanges } from '../../../access/audit/audit-entry.entity';
import { AuditLog, changesBetween } from '../../../access/audit/audit-log';
import type { Caller } from '../../../access/caller';
import { NotFound, ValidationFailed } from '../../../common/errors/errors';
import type { PageQuery } from '../../../common/pagination/page';
import { Clock } from '../../../common/time/clock';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { DeliveryWakeUps } from '../deliveries/delivery-wake-ups';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint';
import { WebhookEndpointsRepository } from '../endpoints/webhook-endpoints.repository';
import { makeSecret, promoted, rotated } from '../endpoints/webhook-secrets';
import type { CreateWebhookRequest, UpdateWebhookRequest } from './webhook-endpoints.dto';
import { TooManyWebhooks } from './webhook-endpoints.errors';
import { receiverProblem } from './webhook-url';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';

const MAX_ENDPOINTS = 50;

type Audited = Pick<WebhookEndpoint, 'url' | 'events' | 'enabled' | 'secrets'>;

/** Where an organization's webhooks go. */
@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly rows: WebhookEndpointsRepository,
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly wakeUps: DeliveryWakeUps,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  list({ organizationId }: Caller, { page, size }: PageQuery): Promise<[WebhookEndpoint[], total: number]> {
    return this.rows.list(organizationId, page, size);
  }

  /** @throws NotFound */
  async get({ organizationId }: Caller, id: number): Promise<WebhookEndpoint> {
    const endpoint = await this.rows.find(organizationId, id);
    if (!endpoint) throw new NotFound('Webhook endpoint');
    return endpoint;
  }

  /** @throws ValidationFailed, TooManyWebhooks */
  async create(caller: Caller, { url, events, enabled }: CreateWebhookRequest): Promise<WebhookEndpoint> {
    this.check(url);
    const settings = {
      url,
      events: [...new Set(events)],
      enabled,
      secrets: [{ value: makeSecret(), replacedAt: null }],
    };
    const id = await this.database.write(async (tx) => {
      const made = await this.rows.insert(tx, caller.organizationId, settings, MAX_ENDPOINTS);
      if (made === null) throw new TooManyWebhooks(MAX_ENDPOINTS);
      await this.record(tx, caller, 'webhook.create', made, changesOf({}, settings));
      return made;
    });
    return this.get(caller, id);
  }

  /** @throws NotFound, ValidationFailed */
  async update(caller: Caller, id: number, request: UpdateWebhookRequest): Promise<WebhookEndpoint> {
    const { url, events, enabled, promote } = request;
    if (typeof url === 'string') this.check(url);
    await this.change(caller, id, 'webhook.update', (before) => ({
      ...before,
      url: url ?? before.url,
      events: events ? [...new Set(events)] : before.events,
      enabled: enabled ?? before.enabled,
      secrets: promote === true ? promoted(before.secrets) : before.secrets,
    }));
    // What has waited while it was disabled.
    this.wakeUps.notify(id);
    return this.get(caller, id);
  }

  /** @throws NotFound */
  async rotateSecret(caller: Caller, id: number): Promise<WebhookEndpoint> {
    await this.change(caller, id, 'webhook.rotate_secret', (before) => ({
      ...before,
      secrets: rotated(before.secrets, this.clock.now()),
    }));
    return this.get(caller, id);
  }

  /** @throws NotFound */
  async remove(caller: Caller, id: number): Promise<void> {
    const { organizationId } = caller;
    await this.database.write(async (tx) => {
      const before = await this.rows.lock(tx, organizationId, id);
      if (!before) throw new NotFound('Webhook endpoint');
      await this.rows.remove(tx, organizationId, id);
      await this.record(tx, caller, 'webhook.delete', id, {
        url: { from: new URL(before.url).origin, to: null },
      });
    });
  }

  private async change(
    caller: Caller,
    id: number,
    action: string,
    changed: (before: WebhookEndpoint) => WebhookEndpoint,
  ): Promise<void> {
    await this.database.write(async (tx) => {
      const before = await this.rows.lock(tx, caller.organizationId, id);
      if (!before) throw new NotFound('Webhook endpoint');
      const after = changed(before);
      if (isDeepStrictEqual(before, after)) return;
      await this.rows.update(tx, after);
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

/** What the audit log may hold: paths and queries of receivers often are as good as a password, origins are not. */
function changesOf(before: Partial<Audited>, after: Audited): AuditChanges {
  const changes = changesBetween(shownOf(before), shownOf(after));
  if (before.url !== after.url) {
    changes.url = {
      from: before.url === undefined ? null : new URL(before.url).origin,
      to: new URL(after.url).origin,
    };
  }
  return changes;
}

function shownOf({ events, enabled, secrets }: Partial<Audited>) {
  return { events, enabled, secrets: secrets?.length };
}

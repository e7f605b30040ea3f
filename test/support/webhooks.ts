import { Database } from '../../src/infrastructure/database/database';
import { DeliveriesProcessor } from '../../src/modules/webhooks/deliveries/deliveries.processor';
import { DeliveryResults } from '../../src/modules/webhooks/deliveries/delivery-results';
import type { EventName } from '../../src/modules/webhooks/outbox/outbox-event';
import { WebhookOutbox } from '../../src/modules/webhooks/outbox/webhook-outbox';
import { eventually } from './eventually';
import { type ApiClient, consoleApi, type TestOrganization } from './factories';
import type { TestApp } from './test-app';

export interface TestWebhook {
  id: number;
  url: string;
  secret: string;
  state: string;
  [field: string]: unknown;
}

export interface LoggedTestDelivery {
  deliveryId: string;
  event: string;
  status: string;
  createdAt: string;
  nextAttemptAt: string | null;
  attempts: {
    at: string;
    latencyMs: number;
    statusCode: number | null;
    error: string | null;
    answer: string | null;
  }[];
}

/** Client for an organization's webhooks in the console. */
export class Webhooks {
  readonly console: ApiClient;

  constructor(
    private readonly app: TestApp,
    private readonly organization: Pick<TestOrganization, 'organizationId'>,
  ) {
    this.console = consoleApi(app);
  }

  get path(): string {
    return `/api/v1/console/organizations/${this.organization.organizationId}/webhooks`;
  }

  async create(url: string, events: string[] = ['*'], fields: object = {}): Promise<TestWebhook> {
    const { body } = await this.console.post(this.path, { url, events, ...fields }).expect(201);
    return body as TestWebhook;
  }

  async get(id: number): Promise<TestWebhook> {
    return (await this.console.get(`${this.path}/${id}`).expect(200)).body as TestWebhook;
  }

  async patch(id: number, fields: object): Promise<TestWebhook> {
    return (await this.console.patch(`${this.path}/${id}`, fields).expect(200)).body as TestWebhook;
  }

  async log(id: number, query = ''): Promise<LoggedTestDelivery[]> {
    const { body } = await this.console.get(`${this.path}/${id}/deliveries?${query}`).expect(200);
    return (body as { content: LoggedTestDelivery[] }).content;
  }

  /** Emits events. */
  async raise(name: EventName = 'contact.created', data: object = { id: 1 }, times = 1): Promise<void> {
    const { organizationId } = this.organization;
    const events = Array.from({ length: times }, () => ({ name, organizationId, data: { ...data } }));
    await this.app.get(Database).write((tx) => this.app.get(WebhookOutbox).add(tx, ...events));
  }

  /** Wakes workers for due deliveries, like the sweep every few seconds. */
  async sweep(): Promise<void> {
    await this.app.get(DeliveriesProcessor).notifyDue();
  }

  /** Resolves when no attempt is running and all results are stored. */
  async settled(): Promise<void> {
    await eventually(async () => {
      const { organizationId } = this.organization;
      const sql = 'SELECT id FROM webhook_deliveries WHERE organization_id = $1 AND lease IS NOT NULL';
      expect(await this.app.sql(sql, [organizationId])).toEqual([]);
    });
    await this.app.get(DeliveryResults).flush();
  }
}

import type { KeptEvent } from '../../src/modules/webhooks/outbox-event';
import { WebhookOutbox } from '../../src/modules/webhooks/webhook-outbox';
import type { TestApp } from './test-app';

/** Events of an organization as deliveries will read them, in the order in which they were written. */
export async function eventsOf(app: TestApp, organizationId: number): Promise<KeptEvent[]> {
  const rows = await app.sql<Parameters<WebhookOutbox['open']>[0]>(
    'SELECT * FROM outbox_events WHERE organization_id = $1 ORDER BY created_at, ctid',
    [organizationId],
  );
  return rows.map((row) => app.get(WebhookOutbox).open(row));
}

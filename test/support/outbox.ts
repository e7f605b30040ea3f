import type { EventName, StoredEvent } from '../../src/modules/webhooks/outbox/outbox-event';
import { WebhookOutbox } from '../../src/modules/webhooks/outbox/webhook-outbox';
import { OpenApi } from './openapi';
import { strictly } from './strict-schema';
import type { TestApp } from './test-app';
import { Webhooks } from './webhooks';

/** An organization's events in order, decrypted. */
export async function eventsOf(app: TestApp, organizationId: number): Promise<StoredEvent[]> {
  const rows = await app.sql<Parameters<WebhookOutbox['open']>[0]>(
    `SELECT id, organization_id AS "organizationId", name, data, created_at AS "createdAt" FROM outbox_events
      WHERE organization_id = $1 ORDER BY id`,
    [organizationId],
  );
  return rows.map((row) => app.get(WebhookOutbox).open(row));
}

/** Like `eventsOf`, but also checks that each event exactly matches its schema in the OpenAPI document. */
export async function cataloguedEvents(app: TestApp, organizationId: number): Promise<StoredEvent[]> {
  const events = await eventsOf(app, organizationId);
  const problemsOf = await catalogueOf(app);
  expect(
    events.flatMap(({ name, data }) => problemsOf(name, data).map((problem) => [name, problem, data])),
  ).toEqual([]);
  return events;
}

type Catalogue = (name: EventName, data: unknown) => string[];
const catalogues = new WeakMap<TestApp, Promise<Catalogue>>();

/** Creates a function that returns the deviations of an event's data from its schema. */
function catalogueOf(app: TestApp): Promise<Catalogue> {
  const known = catalogues.get(app) ?? OpenApi.of(app).then(readCatalogue);
  catalogues.set(app, known);
  return known;
}

function readCatalogue(api: OpenApi): Catalogue {
  const validators = new Map<EventName, (data: unknown) => string[]>();
  return (name, data) => {
    const problemsOf = validators.get(name) ?? strictly(api, api.deliveryOf(name).properties?.data ?? {});
    validators.set(name, problemsOf);
    return problemsOf(data);
  };
}

/** Subscribes a disabled endpoint, so that the outbox stores high-volume events without delivering any. */
export async function keepEvents(app: TestApp, organization: { organizationId: number }): Promise<void> {
  await new Webhooks(app, organization).create('https://receiver.example/hook', ['*'], { enabled: false });
}

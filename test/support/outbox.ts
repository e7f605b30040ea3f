import type { EventName, StoredEvent } from '../../src/modules/webhooks/outbox/outbox-event';
import { WebhookOutbox } from '../../src/modules/webhooks/outbox/webhook-outbox';
import { OpenApi } from './openapi';
import { strictly } from './strict-schema';
import type { TestApp } from './test-app';
import { Webhooks } from './webhooks';

/** Events of an organization as deliveries will read them, in the order in which they were written. */
export async function eventsOf(app: TestApp, organizationId: number): Promise<StoredEvent[]> {
  const rows = await app.sql<Parameters<WebhookOutbox['open']>[0]>(
    `SELECT id, organization_id AS "organizationId", name, data, created_at AS "createdAt" FROM outbox_events
      WHERE organization_id = $1 ORDER BY id`,
    [organizationId],
  );
  return rows.map((row) => app.get(WebhookOutbox).open(row));
}

/** The same, each held against what the OpenAPI document says of it: nothing else, and all of it. */
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

/** What is wrong with the data of an event. */
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

/** Lets the outbox keep what comes by the thousand, which it does for those who may want it; nothing is delivered. */
export async function keepEvents(app: TestApp, organization: { organizationId: number }): Promise<void> {
  await new Webhooks(app, organization).create('https://receiver.example/hook', ['*'], { enabled: false });
}

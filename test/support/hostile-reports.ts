import { consoleApi, type TestOrganization } from './factories';
import type { HostileData } from './hostile-console';
import { HOSTILE_TEXTS, RUN } from './hostile-texts';
import { addApp, createSession, SESSIONS } from './journeys';
import { createDomain } from './links';
import type { TestApp } from './test-app';
import type { WebhookReceiver } from './webhook-receiver';

const MARKUP = `"><img src=https://evil.example/x onerror=${RUN}>`;
const OPT_OUTS = 40;
const EVENTS = 40;
const ANSWERS = 5;

/** The longest payloads of at most `limit` characters. */
const payloads = (count: number, limit: number) =>
  HOSTILE_TEXTS.filter((text) => text.trim() !== '' && text.length <= limit && text.isWellFormed())
    .sort((one, other) => other.length - one.length)
    .slice(0, count);

/** Writes hostile values into reported data: opt-outs, app sessions, webhook responses and domain names. */
export async function writeHostileReports(
  app: TestApp,
  organization: TestOrganization,
  receiver: WebhookReceiver,
  data: HostileData,
): Promise<void> {
  const base = `/api/v1/console/organizations/${organization.organizationId}`;
  const api = consoleApi(app);
  const send = async (what: string, call: PromiseLike<{ status: number; body: unknown }>) => {
    const { status, body } = await call;
    if (status >= 500) data.faults.push(`${what}: ${status}`);
    return { status, body };
  };

  const sources = payloads(OPT_OUTS, 100);
  const items = sources.map((source, index) => ({ value: `optout${index}@example.com`, source }));
  const { body: registered } = await send(
    'opt-outs',
    api.post(`${base}/messaging/unsubscribes/bulk`, { channel: 'EMAIL', items }),
  );
  const { invalid = [] } = registered as { invalid?: { value: string }[] };
  const refused = new Set(invalid.map(({ value }) => value));
  data.taken.set(
    'optOut.source',
    items.filter(({ value }) => !refused.has(value)).map(({ source }) => source),
  );

  for (const domainName of payloads(10, 200))
    await send('domain', api.post(`${base}/custom-domains`, { domainName }));
  // The API rejects such a name, but the console must be safe with it anyway.
  const domain = await createDomain(app, organization, MARKUP, 'FAILED');

  const shop = { ...organization, ...(await addApp(app, organization, 'Web')) };
  const { sessionId } = await createSession(shop, {
    referrer: `https://referrer.example/?${MARKUP}`,
    landingUrl: `https://shop.example.com/#${MARKUP}`,
    externalUserId: MARKUP.slice(0, 100),
    utmSource: MARKUP,
    utmCampaign: MARKUP,
  });
  const events = payloads(EVENTS, 50);
  for (const text of events) {
    const reported = {
      sessionId,
      eventType: text,
      eventData: { [text]: text, list: [text, { [text]: text }] },
    };
    const { status } = await send('event', shop.sdk.post(`${SESSIONS}/event`, reported));
    if (status < 300) data.taken.set('event.type', [...(data.taken.get('event.type') ?? []), text]);
    else await send('event', shop.sdk.post(`${SESSIONS}/event`, { ...reported, eventType: 'view' }));
    await send(
      'goal',
      shop.sdk.post(`${SESSIONS}/funnel/track`, { sessionId, goalType: text, goalValue: 1 }),
    );
  }

  const { body: endpoint } = await send(
    'webhook',
    api.post(`${base}/webhooks`, { url: receiver.url, events: ['webhook.test'] }),
  );
  const { id } = endpoint as { id: number };
  const answers = payloads(ANSWERS, 200);
  receiver.answer = (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', refresh: '0;url=https://evil.example/' })
      .end(`${MARKUP}<script>${RUN}</script>${answers.join('\n')}`);
  await send('test', api.post(`${base}/webhooks/${id}/test`));

  data.paths.push(`/domains/${domain}`, `/journeys/${sessionId}`, `/webhooks/${id}`);
}

import { randomUUID } from 'node:crypto';
import { Database } from '../../src/infrastructure/database/database';
import { EventDays } from '../../src/modules/analytics/event-log/event-days';
import { ClickIngest } from '../../src/modules/click-statistics/counting/click-ingest';
import type { TrackedLinkKind } from '../../src/modules/clicks/click';
import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { CONTACTS, GROUPS, saveContact } from '../support/contacts';
import { registerApp } from '../support/apps';
import { type ApiClient, appApi, consoleApi, createOrganization, serviceApi } from '../support/factories';
import { Funnel } from '../support/funnel';
import { type AppOwner, createSession, SESSIONS, track } from '../support/journeys';
import { createLink } from '../support/links';
import { StatementGate } from '../support/statement-gate';
import { useTestApp } from '../support/test-app';
import { IPHONE, plainClick } from '../support/visits';
import { Webhooks } from '../support/webhooks';

const NOW = '2026-11-20T08:32:00Z';
const YESTERDAY = '2026-11-19T08:32:00Z';
const SERVICE = '/api/v1/service';
const URLS = `${SERVICE}/urls`;
const STATS = '/api/v1/cross-platform/stats';
const EVENT = `${SESSIONS}/event`;

describe('all figures of an answer are of one moment', () => {
  const app = useTestApp({ redis: true });
  /** The process that makes the changes. */
  const other = useTestApp(() => ({ database: app.database }));
  let gate: StatementGate;
  let own: AppOwner;
  let organization: string;
  let link: number;
  let campaign: number;
  let session: string;
  let webhook: number;
  let group: number;
  let clients: Record<'service' | 'console' | 'sdk', ApiClient>;
  let made = 0;

  beforeAll(async () => {
    app.clock.set(NOW);
    other.clock.set(NOW);
    gate = new StatementGate(app);
    const made = await createOrganization(other, { baseCurrency: 'EUR', allowList: ['127.0.0.0/8'] });
    const registered = await registerApp(made);
    own = { ...made, appId: registered.id, sdk: appApi(other, registered) };
    clients = {
      service: serviceApi(app, own.apiKey),
      console: consoleApi(app),
      sdk: appApi(app, registered),
    };
    organization = `/api/v1/console/organizations/${own.organizationId}`;
    ({ id: link } = await createLink(own));
    ({ id: campaign } = await createCampaign(own));
    const webhooks = new Webhooks(other, own);
    ({ id: webhook } = await webhooks.create('http://127.0.0.1:9/', ['campaign.deleted']));
    ({ sessionId: session } = await createSession(own, { urlId: link, externalUserId: 'first' }));
    group = await addGroup();
    await click();
    await visit();
  });

  /** Counts one click of a new person on the link, and one on the campaign. */
  async function click(): Promise<void> {
    const ingest = other.get(ClickIngest);
    const clicks = (['link', 'campaign'] as const).map((kind) =>
      plainClick({
        id: ++made,
        at: Date.parse(NOW),
        organizationId: own.organizationId,
        kind,
        trackedLinkId: kind === 'link' ? link : campaign,
        appIds: [own.appId],
        customId: kind === 'link' ? null : 'customer',
        ip: `198.18.${Math.floor(made / 256)}.${made % 256}`,
        userAgent: IPHONE,
      }),
    );
    const prepared = await ingest.prepare(clicks);
    await other.get(Database).write((tx) => ingest.ingest(tx, prepared));
  }

  const begin = () => createSession(own, { externalUserId: 'listed' });

  /** Creates a session with a stage, a goal, an event and transitions. */
  async function visit(led: Record<string, unknown> = { urlId: link }): Promise<void> {
    const externalUserId = `member-${++made}`;
    const { sessionId } = await createSession(own, { ...led, externalUserId, utmSource: 'news' });
    await addToSession(sessionId);
  }

  /** Adds a stage, a goal, an event and transitions to a session. */
  async function addToSession(sessionId: string): Promise<void> {
    await track(own, { sessionId, stage: 'APP_OPENED' });
    await track(own, { sessionId, goalType: 'purchase', goalValue: 5, transactionId: randomUUID() });
    await record(sessionId);
    for (const toPlatform of ['IOS', 'WEB']) {
      await own.sdk.post(`${SESSIONS}/transition`, { sessionId, toPlatform }).expect(200);
    }
  }

  const record = (sessionId: string) => own.sdk.post(EVENT, { sessionId, eventType: 'view' }).expect(200);

  async function buy(): Promise<void> {
    await visit({ campaignId: campaign });
    await click();
  }

  const installs = (kind: TrackedLinkKind) => async () => {
    const { organizationId, appId } = own;
    const id = kind === 'link' ? link : campaign;
    const fact = { organizationId, appId, trackedLink: { kind, id }, at: Date.parse(NOW) };
    const funnel = new Funnel(other);
    await click();
    await funnel.install({ ...fact, platform: 'iOS', country: 'KR', osVersion: null, deviceModel: null });
    await funnel.resolve({ ...fact, byFingerprint: false, failure: null });
    await funnel.reengage({ ...fact, user: `${++made}`, platform: 'iOS', successful: true });
  };

  /** Rebuilds the sums of yesterday with one more session. */
  async function buildDay(): Promise<void> {
    other.clock.set(YESTERDAY);
    const { sessionId } = await createSession(own);
    await record(sessionId);
    other.clock.set(NOW);
    await other.get(EventDays).build();
  }

  async function addGroup(): Promise<number> {
    const { body } = await own.api.post(GROUPS, { name: `${++made}` }).expect(201);
    return (body as { id: number }).id;
  }

  const addContact = () => saveContact(own, { email: `${++made}@example.com` });

  async function join(): Promise<void> {
    const { id } = await addContact();
    await own.api.post(`${GROUPS}/${group}/members`, { contactIds: [id] }).expect(200);
  }

  const deliver = () =>
    other.sql(
      `INSERT INTO webhook_deliveries (id, organization_id, endpoint_id, event_id, event, status)
       VALUES (gen_random_uuid(), $1, $2, gen_random_uuid(), 'campaign.deleted', 'FAILED')`,
      [own.organizationId, webhook],
    );

  const compared =
    'startDate=2026-11-01&endDate=2026-11-20&compareStartDate=2026-11-20&compareEndDate=2026-11-20';

  it.each<[string, keyof typeof clients, () => string, () => PromiseLike<unknown>]>([
    ['statistics of a link', 'service', () => `${URLS}/${link}/stats`, click],
    ['installs of a link', 'service', () => `${URLS}/${link}/app-install-stats`, installs('link')],
    ['statistics of a campaign', 'service', () => `${CAMPAIGNS}/${campaign}/stats`, buy],
    ['those of a customer', 'service', () => `${CAMPAIGNS}/${campaign}/stats?customId=customer`, buy],
    [
      'installs of a campaign in a time zone',
      'service',
      () => `${CAMPAIGNS}/${campaign}/app-install-stats?timeZone=Asia/Seoul`,
      installs('campaign'),
    ],
    [
      'installs of an app',
      'service',
      () => `${SERVICE}/mobile-apps/${own.appId}/install-stats`,
      installs('link'),
    ],
    ['summary of sessions', 'sdk', () => `${STATS}/summary`, visit],
    ['days of sessions', 'sdk', () => `${STATS}/daily`, visit],
    ['users of sessions', 'sdk', () => `${STATS}/sessions/summary`, visit],
    ['sources of sessions', 'sdk', () => `${STATS}/sessions/by-utm-source`, visit],
    ['dashboard of sessions', 'sdk', () => `${STATS}/dashboard`, visit],
    ['list of sessions', 'sdk', () => `${STATS}/sessions/list?externalUserId=listed`, begin],
    ['events of a session', 'sdk', () => `${SESSIONS}/${session}/events`, () => record(session)],
    ['conversions', 'service', () => `${SERVICE}/analytics/conversions?appId=${own.appId}`, visit],
    [
      'revenue and a comparison',
      'service',
      () => `${SERVICE}/analytics/revenue?appId=${own.appId}&${compared}`,
      visit,
    ],
    ['event log', 'service', () => `${SERVICE}/analytics/events`, buildDay],
    [
      'clicks and a comparison',
      'service',
      () => `${SERVICE}/analytics/clicks?groupBy=link&${compared}`,
      click,
    ],
    [
      'sessions of an organization',
      'console',
      () => `${organization}/sessions?externalUserId=first`,
      () => addToSession(session),
    ],
    [
      'path of a session',
      'console',
      () => `${organization}/sessions/${session}`,
      () => addToSession(session),
    ],
    ['list of links', 'service', () => `${URLS}?size=100`, () => createLink(own)],
    ['list of campaigns', 'service', () => `${CAMPAIGNS}?size=100`, () => createCampaign(own)],
    ['list of contacts', 'service', () => `${CONTACTS}?size=100`, addContact],
    ['list of groups', 'service', () => GROUPS, addGroup],
    ['members of a group', 'service', () => `${GROUPS}/${group}/members`, join],
    ['list of deliveries', 'console', () => `${organization}/webhooks/${webhook}/deliveries`, deliver],
  ])('%s', async (_name, client, path, change) => {
    const ask = async () => (await clients[client].get(path()).expect(200)).body as unknown;
    await change();
    let before = await ask();
    let statements = 0;
    for (;;) {
      const answer = await gate.ask(statements + 1, { ask, change });
      if (answer === null) break;
      statements++;
      const after = await ask();
      expect(after).not.toEqual(before);
      if (!isSame(answer, before)) expect({ statements, answer }).toEqual({ statements, answer: after });
      before = after;
    }
    expect(statements).toBeGreaterThan(1);
  });

  it('and a snapshot neither changes anything nor joins a transaction that sees changes', async () => {
    const database = app.get(Database);
    const change = database.snapshot((tx) => tx.execute('DELETE FROM links'));
    await expect(change).rejects.toThrow('read-only transaction');
    const joined = database.enclose(() => database.snapshot((tx) => tx.query('SELECT 1')));
    await expect(joined).rejects.toThrow('cannot join');
  });

  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
});

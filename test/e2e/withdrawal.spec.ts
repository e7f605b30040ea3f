import { ContactCells } from '../../src/modules/contacts/bulk/contact-cells';
import { WebhookOutbox } from '../../src/modules/webhooks/outbox/webhook-outbox';
import { registerApp } from '../support/apps';
import { createCampaign } from '../support/campaigns';
import { CONTACTS, createBook, saveContact } from '../support/contacts';
import { type ApiClient, appApi, consoleApi } from '../support/factories';
import { eventually } from '../support/eventually';
import { codeOf, createLink } from '../support/links';
import { redisDump } from '../support/redis';
import { sharedRedisUrl } from '../support/servers';
import { perSuite, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

const CROSS_PLATFORM = '/api/v1/cross-platform';
const UNSUBSCRIBES = '/api/v1/service/messaging/unsubscribes';
const PHONE = '+821091827364';
const EMAIL = 'zebulon.q@hidden-domain.example';
/** Values that must not be found, in every form in which they could be stored. */
const SECRETS = [
  'zebulon',
  '91827364',
  'hidden-domain',
  'push-of-zebulon-alone',
  'platinum-attribute',
  'size-of-his-shoes',
  'model-of-his-phone',
  'page-that-he-came-from',
];
const PERSON = {
  externalUserId: 'member-1',
  name: 'Zebulon Quixote',
  phone: '010-9182-7364',
  email: EMAIL,
  pushIdentify: 'push-of-zebulon-alone',
  smsOptIn: true,
  pushOptIn: true,
  customFields: { grade: 'platinum-attribute' },
};

describe('After a withdrawal', () => {
  const app = useTestApp({
    env: { LOG_LEVEL: 'trace' },
    logTo: { write: (line) => void log.push(line) },
  });
  let sdk: ApiClient;
  let sessionId: string;
  let before: Awaited<ReturnType<typeof traces>>;
  const log: string[] = [];

  beforeAll(() => app.clock.set('2026-11-20T08:32:00Z'));
  const book = perSuite(() => createBook(app));
  beforeAll(async () => {
    const registered = await registerApp(book);
    sdk = appApi(app, registered);
    await useEverything(registered.id);
    before = await traces();
    await sdk.post(`${CROSS_PLATFORM}/withdraw`, { externalUserId: 'member-1' }).expect(200);
  });

  const post = async (path: string, body: object, status = 200) =>
    (await sdk.post(`${CROSS_PLATFORM}/${path}`, body).expect(status)).body;

  /** Uses every endpoint that stores or copies data of a person. */
  async function useEverything(appId: number): Promise<void> {
    const { api, organizationId } = book;
    await consoleApi(app)
      .post(`/api/v1/console/organizations/${organizationId}/webhooks`, {
        url: 'http://127.0.0.1:9/hook',
        events: ['contact.*', 'session.*', 'funnel.*', 'goal.*'],
      })
      .expect(201);
    await post('identify', PERSON);
    const contact = {
      externalUserId: 'member-1',
      name: PERSON.name,
      phoneNumber: PERSON.phone,
      tags: ['zebulon'],
    };
    await api.post(CONTACTS).set('Idempotency-Key', 'once').send(contact).expect(200);
    await api.post(`${CONTACTS}/bulk`).set('Idempotency-Key', 'bulk').send([contact]).expect(200);
    for (const keyword of ['Zebulon', PERSON.phone, EMAIL]) await api.get(CONTACTS, { keyword }).expect(200);
    await api.get(`${CONTACTS}/by-email`, { email: EMAIL }).expect(200);

    const deviceInfo = { deviceModel: 'model-of-his-phone', os: 'iOS' };
    const referrer = 'https://page-that-he-came-from.example/';
    ({ sessionId } = await post('session/create', { platform: 'WEB', deviceInfo, referrer }, 201));
    await post(`session/${sessionId}/link-user`, { externalUserId: 'member-1' });
    const landingUrl = `https://shop.example/?email=${EMAIL}`;
    const own = { platform: 'IOS', externalUserId: 'member-1', deviceInfo, landingUrl };
    await post('session/create', own, 201);
    const event = { sessionId, eventType: 'fitted', clientTimestamp: '2026-11-20T08:31:00Z' };
    await post('session/event', { ...event, eventData: { shoes: 'size-of-his-shoes', email: EMAIL } });
    await post('session/event', { sessionId, eventType: 'purchase', eventData: { amount: 5 } });
    await post('session/funnel/track', {
      sessionId,
      goalType: 'purchase',
      goalValue: 5,
      transactionId: 't1',
    });
    await post('session/transition', { sessionId, toPlatform: 'IOS', deviceInfo });
    const link = await createLink(book, { iosAppId: appId });
    const association = { tokenidx: '77', identify: PERSON.pushIdentify };
    await sdk.post(`/api/v1/sdk/mobile/links/${codeOf(link)}/associations?type=url`, association).expect(200);
    // Opt-outs stay, encrypted, because they prevent further messages.
    await api.post(UNSUBSCRIBES, { channel: 'EMAIL', value: EMAIL }).expect(201);
  }

  /** Places where the values are found: raw tables, blind indexes, and decrypted events. */
  async function traces(): Promise<string[]> {
    const { organizationId } = book;
    const cells = app.get(ContactCells);
    const indexes = [
      cells.phoneIndex(organizationId, PHONE),
      cells.last4Index(organizationId, PHONE.slice(-4)),
      cells.emailIndex(organizationId, EMAIL),
      cells.localPartIndex(organizationId, 'zebulon.q'),
      cells.domainIndex(organizationId, 'hidden-domain.example'),
    ].map((index) => index.toString('hex'));
    const found = (text: string) => {
      const plain = text.toLowerCase();
      return [...SECRETS, ...indexes].filter((secret) => plain.includes(secret));
    };
    const tables = await app.sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    const places = new Set<string>();
    // An opt-out stays with its blind indexes.
    for (const { name } of tables.filter((table) => table.name !== 'unsubscribes')) {
      for (const { text } of await app.sql<{ text: string }>(`SELECT t::text AS text FROM ${name} AS t`)) {
        if (found(text).length > 0) places.add(name);
      }
    }
    type Kept = Parameters<WebhookOutbox['open']>[0];
    // Events about an opt-out stay as well.
    for (const row of await app.sql<Kept>(
      `SELECT id, organization_id AS "organizationId", name, data, created_at AS "createdAt" FROM outbox_events
        WHERE name NOT LIKE 'unsubscribe.%'`,
    )) {
      if (found(JSON.stringify(app.get(WebhookOutbox).open(row))).length > 0) places.add('outbox_events');
    }
    const answers = await app.sql('SELECT 1 FROM idempotency_keys WHERE subject IS NOT NULL');
    if (answers.length > 0) places.add('idempotency_keys');
    const texts = await app.sql('SELECT 1 FROM bulk_jobs WHERE payload IS NOT NULL OR errors IS NOT NULL');
    if (texts.length > 0) places.add('bulk_jobs');
    return [...places].sort();
  }

  it('no table contains data of the person, in plain text or encrypted, or a blind index of it', async () => {
    expect(before).toEqual([
      'contacts',
      'funnel_sessions',
      'idempotency_keys',
      'outbox_events',
      'session_events',
    ]);
    expect(await traces()).toEqual([]);
    const left = await app.sql(
      `SELECT (SELECT count(*) FROM contact_activities) AS activities,
              (SELECT count(*) FROM contact_group_members) AS groups,
              (SELECT count(*) FROM link_associations) AS associations,
              (SELECT count(*) FROM funnel_sessions WHERE external_user_id IS NOT NULL) AS sessions,
              (SELECT count(*) FROM goals WHERE external_user_id IS NOT NULL) AS goals,
              (SELECT count(*) FROM contacts
                WHERE num_nonnulls(name, search_name, phone, email, push_identify, locale, push_token_idx) > 0
                   OR tags <> '{}' OR custom_fields <> '{}') AS contacts`,
    );
    expect(left).toEqual([{ activities: 0, groups: 0, associations: 0, sessions: 0, goals: 0, contacts: 0 }]);
  });

  it('no earlier delivery is left, and new events are blank', async () => {
    const events = await app.sql<{ name: string }>('SELECT name FROM outbox_events ORDER BY name');
    expect(events.map(({ name }) => name)).toEqual([
      'contact.deleted',
      'contact.opt_out',
      'contact.updated',
      'unsubscribe.created',
    ]);
    const orphans = await app.sql(
      `SELECT 1 FROM webhook_deliveries AS d
        WHERE NOT EXISTS (SELECT 1 FROM outbox_events AS e
                           WHERE e.organization_id = d.organization_id AND e.id = d.event_id)`,
    );
    expect(orphans).toEqual([]);
  });

  it('Redis and the logs contain nothing of the person', async () => {
    const found = (text: string) => SECRETS.filter((secret) => text.toLowerCase().includes(secret));
    const dump = await redisDump(sharedRedisUrl(), app.database.redisPrefix);
    expect(dump).not.toEqual([]);
    expect(dump.filter((entry) => found(entry.key + entry.dump).length > 0)).toEqual([]);
    expect(log.length).toBeGreaterThan(15);
    expect(log.filter((line) => found(line).length > 0)).toEqual([]);
  });

  it('statistics stay the same, and a repeated event is still recognized', async () => {
    const event = { sessionId, eventType: 'fitted', clientTimestamp: '2026-11-20T08:31:00Z' };
    await post('session/event', { ...event, eventData: { shoes: 'size-of-his-shoes' } });
    const [row] = await app.sql(
      `SELECT (SELECT sum(events)::int FROM session_rollups WHERE subject_kind = 3 AND subject_id > 0) AS events,
              (SELECT sum(goals)::int FROM goal_rollups WHERE subject_kind = 3 AND subject_id > 0) AS goals,
              (SELECT sum(users)::int FROM session_user_rollups) AS users,
              (SELECT count(*)::int FROM session_events WHERE event_data IS NOT NULL) AS told`,
    );
    expect(row).toEqual({ events: 2, goals: 1, users: 1, told: 0 });
  });

  it('a returning member is reactivated without old values and sessions', async () => {
    expect(await post('identify', { externalUserId: 'member-1' })).toMatchObject({ action: 'reactivated' });
    const { body } = await book.api.get(CONTACTS).expect(200);
    const [contact] = body.content;
    expect(contact).toMatchObject({ name: null, phoneNumber: null, email: null, customFields: {}, tags: [] });
    const path = `${book.consolePath}/messaging/contacts/${contact.id}`;
    const { body: all } = await consoleApi(app).get(`${path}/export`).expect(200);
    expect(all).toMatchObject({
      activity: [],
      others: {
        sessions: [],
        sessionEvents: [],
        goals: [],
        linkAssociations: [],
        segments: [],
        unsubscribes: [],
      },
    });
  });
});

describe('Sessions of a person', () => {
  const app = useTestApp();
  beforeAll(() => {
    app.clock.set('2026-11-20T08:32:00Z');
  });

  it('and clicks with the member id as cid are exported, and keep none of it after an erasure', async () => {
    const book = await createBook(app);
    const member = 'member-of-clicks';
    const { id } = await saveContact(book, { externalUserId: member });
    const campaign = await createCampaign(book, { originalUrl: 'https://shop.example.com/' });
    const { host, pathname } = new URL(String(campaign.link));
    for (const cid of [member, member, 'another-member'])
      await visit(app, `${pathname}?cid=${cid}`, { host }).expect(302);
    const customers = () =>
      app.sql<{ customId: string; clicks: number }>(
        `SELECT custom_id AS "customId", count(*)::int AS clicks FROM clicks WHERE organization_id = $1
          GROUP BY custom_id ORDER BY clicks DESC`,
        [book.organizationId],
      );
    await eventually(async () =>
      expect(await customers()).toEqual([
        { customId: member, clicks: 2 },
        { customId: 'another-member', clicks: 1 },
      ]),
    );
    const path = `${book.consolePath}/messaging/contacts/${id}`;
    const { body } = await consoleApi(app).get(`${path}/export`).expect(200);
    const click = { campaignId: campaign.id, customId: member, clickedAt: '2026-11-20T08:32:00Z' };
    expect(body.others.clicks).toMatchObject([click, click]);
    await consoleApi(app).delete(`${path}?erase=true`).expect(204);
    expect(await customers()).toEqual([
      { customId: expect.stringMatching(/^erased-/), clicks: 2 },
      { customId: 'another-member', clicks: 1 },
    ]);
    const tables = await app.sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
    );
    for (const { name } of tables) {
      const found = await app.sql(`SELECT 1 FROM ${name} AS t WHERE t::text LIKE $1`, [`%${member}%`]);
      // The record of the deletion has both ids for 30 days.
      if (name !== 'contact_changes') expect([name, found]).toEqual([name, []]);
    }
  });

  it('are exported, and anonymized when the contact is erased', async () => {
    const book = await createBook(app);
    const sdk = appApi(app, await registerApp(book));
    const post = async (path: string, body: object, status = 200) =>
      (await sdk.post(`${CROSS_PLATFORM}/${path}`, body).expect(status)).body;
    await post('identify', { externalUserId: 'member-1' });
    await post('identify', { externalUserId: 'member-2' });
    const session = await post('session/create', { platform: 'WEB', externalUserId: 'member-1' }, 201);
    const other = await post('session/create', { platform: 'WEB', externalUserId: 'member-2' }, 201);
    const { sessionId } = session;
    const event = await post('session/event', { sessionId, eventType: 'view', eventData: { a: 1 } });
    await post('session/event', { sessionId: other.sessionId, eventType: 'view', eventData: { a: 2 } });
    await post('session/funnel/track', { sessionId, goalType: 'signup', goalValue: 2.5, transactionId: 't' });
    const { body } = await book.api.get(CONTACTS).expect(200);
    const { id } = body.content.find(
      (each: { externalUserId: string }) => each.externalUserId === 'member-1',
    );
    const path = `${book.consolePath}/messaging/contacts/${id}`;
    const { body: all } = await consoleApi(app).get(`${path}/export`).expect(200);
    expect(all.activity).toEqual([
      { metric: 'view', first: '2026-11-20T08:32:00Z', last: '2026-11-20T08:32:00Z', count: 1, sum: 0 },
    ]);
    expect(all.others).toMatchObject({
      sessions: [{ ...session, stages: ['GOAL_COMPLETED'], converted: true }],
      sessionEvents: [{ id: event.eventId, sessionId, eventType: 'view', eventData: { a: 1 } }],
      goals: [
        {
          sessionId,
          goalType: 'signup',
          goalValue: 2.5,
          currency: 'USD',
          transactionId: 't',
          platform: 'WEB',
          occurredAt: '2026-11-20T08:32:00Z',
        },
      ],
    });
    expect(all.others.clicks).toEqual([]);
    await consoleApi(app).delete(`${path}?erase=true`).expect(204);
    const kept = await app.sql('SELECT external_user_id, id FROM funnel_sessions ORDER BY external_user_id');
    expect(kept).toEqual([
      { external_user_id: 'member-2', id: other.sessionId },
      { external_user_id: null, id: sessionId },
    ]);
    const told = await app.sql('SELECT event_data FROM session_events ORDER BY id');
    expect(told).toEqual([{ event_data: null }, { event_data: { a: 2 } }]);
    expect(await app.sql('SELECT external_user_id FROM goals')).toEqual([{ external_user_id: null }]);
  });
});

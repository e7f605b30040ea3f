import { BulkJobsProcessor } from '../../src/infrastructure/jobs/bulk-jobs.processor';
import { OgFetcher } from '../../src/modules/tracked-links/open-graph/og-fetcher';
import { DeliveriesProcessor } from '../../src/modules/webhooks/deliveries/deliveries.processor';
import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { createBook, CONTACTS, saveContact } from '../support/contacts';
import { eventually } from '../support/eventually';
import { consoleApi, type TestOrganization } from '../support/factories';
import { explain, recordStatements } from '../support/hot-statements';
import { addApp, type AppOwner, createSession, SESSIONS } from '../support/journeys';
import { codeOf, createLink } from '../support/links';
import { LiveStream } from '../support/live-clicks';
import { type TestApp, useTestApp } from '../support/test-app';
import { UnsubscribeClient, phone } from '../support/unsubscribes';
import { visit } from '../support/visits';
import { WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';

const URLS = '/api/v1/service/urls';
const ANALYTICS = '/api/v1/service/analytics';
const REPORTS = [
  'clicks',
  'clicks?groupBy=tag',
  'clicks?groupBy=tag&tag=spring&country=!KR',
  'credits',
  'billing/usage',
  'revenue?appId=',
  'conversions?appId=',
  'conversions/top?appId=',
  'conversions/goals?appId=',
  'conversions/groups?groupBy=link',
  'conversions/groups?groupBy=tag&country=KR',
  'conversions/groups?groupBy=domain',
  'dau',
  'wau',
  'events',
  'segments',
];

/** What the console reads about an organization. */
const CONSOLE_PAGES = [
  'attention',
  'usage',
  'audit-log',
  'users',
  'invitations',
  'api-keys',
  'webhooks',
  'sessions',
  'credits/transactions',
  'tags',
  'segments',
  'segments/properties',
  'messaging/opt-out-links',
  'mobile-apps',
  'custom-domains',
  'debug-schemes',
  'messaging/contacts/export',
  'messaging/contacts/ids',
];

/** Runs the short timers, which look for due work of all organizations and may fire during a test. */
async function runTimers(app: TestApp): Promise<void> {
  await app.get(DeliveriesProcessor).notifyDue();
  await app.get(BulkJobsProcessor).notifyDue();
  await app.get(OgFetcher).run();
}

describe('hot statements on Citus', () => {
  const statementsOf = recordStatements();
  const app = useTestApp({ redis: true });
  let receiver: WebhookReceiver;
  let org: TestOrganization;
  let other: TestOrganization;
  let byTimer: Set<string>;
  const visitors: { owner: AppOwner; sessionId: string }[] = [];

  beforeAll(async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    receiver = await WebhookReceiver.start();
    org = await createBook(app);
    other = await createBook(app);
    for (const each of [org, other]) {
      const owner = { ...each, ...(await addApp(app, each, 'Web')) };
      const { sessionId } = await createSession(owner, { externalUserId: 'visitor' });
      await saveContact(each, { externalUserId: 'visitor' });
      visitors.push({ owner, sessionId });
    }
    byTimer = new Set((await statementsOf(() => runTimers(app))).map(({ text }) => text));
  });
  afterAll(() => receiver.close());

  const clickCountOf = async ({ api }: TestOrganization, id: number) =>
    ((await api.get(`${URLS}/${id}`).expect(200)).body as { clickCount: number }).clickCount;

  /** What is hot, and the organizations of one batch of it. */
  const HOT: Record<string, { organizations: number; run: () => Promise<unknown> }> = {
    'create a link': { organizations: 1, run: () => createLink(org) },
    'resolve an address': {
      organizations: 1,
      run: async () => {
        const code = codeOf(await createLink(org));
        app.clock.advance(60_000);
        await visit(app, `/${code}`);
      },
    },
    'look up a link': {
      organizations: 1,
      run: async () => {
        const { id } = await createLink(org);
        await org.api.get(`${URLS}/${id}`).expect(200);
      },
    },
    'list links': {
      organizations: 1,
      run: async () => {
        for (const query of ['', '?keyword=spring', '?tag=spring', '?sort=clickCount,desc', '/export']) {
          await org.api.get(URLS + query).expect(200);
        }
      },
    },
    'create, change and visit a campaign': {
      organizations: 1,
      run: async () => {
        const campaign = await createCampaign(org);
        await org.api.put(`${CAMPAIGNS}/${campaign.id}`, { title: 'Autumn' }).expect(200);
        app.clock.advance(60_000);
        await visit(app, `/c/${campaign.alias}`).expect(302);
      },
    },
    'list campaigns': { organizations: 1, run: () => org.api.get(CAMPAIGNS).expect(200) },
    'analytics of an organization': {
      organizations: 1,
      run: async () => {
        const appId = visitors[0]?.owner.appId;
        for (const report of REPORTS) {
          await org.api.get(`${ANALYTICS}/${report.replace(/=$/, `=${appId}`)}`).expect(200);
        }
      },
    },
    'pages of the console': {
      organizations: 1,
      run: async () => {
        const of = `/api/v1/console/organizations/${org.organizationId}`;
        for (const page of CONSOLE_PAGES) await consoleApi(app).get(`${of}/${page}`).expect(200);
      },
    },
    'journal and count a batch': {
      organizations: 2,
      run: async () => {
        const links = await Promise.all(
          [org, other].map(async (owner) => ({ owner, link: await createLink(owner) })),
        );
        await Promise.all(links.map(({ link }) => visit(app, `/${codeOf(link)}`)));
        for (const { owner, link } of links) {
          await eventually(async () => expect(await clickCountOf(owner, link.id)).toBe(1));
        }
      },
    },
    'record a batch of session events': {
      organizations: 2,
      run: () =>
        Promise.all(
          [...visitors, ...visitors, ...visitors].map(({ owner, sessionId }) =>
            owner.sdk.post(`${SESSIONS}/event`, { sessionId, eventType: 'view' }).expect(200),
          ),
        ),
    },
    'statistics of a link': {
      organizations: 1,
      run: async () => {
        const { id } = await createLink(org);
        await org.api.get(`${URLS}/${id}/stats`).expect(200);
      },
    },
    'statistics of a campaign': {
      organizations: 1,
      run: async () => {
        const { id } = await createCampaign(org);
        for (const part of ['stats', 'clicks']) await org.api.get(`${CAMPAIGNS}/${id}/${part}`).expect(200);
      },
    },
    'feed of live clicks': {
      organizations: 1,
      run: async () => {
        const code = codeOf(await createLink(org));
        const stream = await LiveStream.open(app.url, { apiKey: org.apiKey });
        try {
          await eventually(async () => expect(await Promise.resolve(stream.named('ready'))).toHaveLength(1));
          await visit(app, `/${code}`);
          await eventually(async () => expect(await Promise.resolve(stream.clickIds)).toHaveLength(1));
        } finally {
          stream.close();
        }
      },
    },
    'feeds of opt-outs': {
      organizations: 1,
      run: async () => {
        const optOuts = new UnsubscribeClient(org);
        await optOuts.register(phone(1));
        expect((await optOuts.list()).items).toHaveLength(1);
        await optOuts.deletions();
        await optOuts.watermark(true);
      },
    },
    'list and look up contacts': {
      organizations: 1,
      run: async () => {
        await org.api.get(CONTACTS).expect(200);
        await org.api.get(`${CONTACTS}/by-external-id/visitor`).expect(200);
        await org.api.get('/api/v1/service/messaging/groups').expect(200);
      },
    },
    'save a contact': { organizations: 1, run: () => saveContact(org, { externalUserId: 'a' }) },
    'feed of contacts': { organizations: 1, run: () => org.api.get(`${CONTACTS}/changes`).expect(200) },
    'deliver a webhook': {
      organizations: 1,
      run: async () => {
        const webhooks = new Webhooks(app, org);
        await webhooks.create(receiver.at('/hook'));
        await webhooks.raise();
        await eventually(() => {
          expect(receiver.ids).toHaveLength(1);
          return Promise.resolve();
        });
        await webhooks.settled();
      },
    },
  };

  it.each(Object.entries(HOT))('%s', async (name, { organizations, run }) => {
    const sent = await statementsOf(run);
    const explained = await explain(
      app,
      sent.filter(({ text }) => !byTimer.has(text)),
    );
    const lines = explained.map(({ text, tasks }) => `  ${tasks.join(' + ')}  ${text.slice(0, 140)}`);
    process.stdout.write(`${[`Tasks of: ${name}`, ...lines].join('\n')}\n`);
    expect(explained.length).toBeGreaterThan(0);
    expect(explained.filter(({ tasks }) => Math.max(...tasks) > organizations)).toEqual([]);
  });
});

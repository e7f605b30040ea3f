import { createBook, CONTACTS, saveContact } from '../support/contacts';
import { eventually } from '../support/eventually';
import { createOrganization, type TestOrganization } from '../support/factories';
import { explain, recordStatements } from '../support/hot-statements';
import { codeOf, createLink } from '../support/links';
import { useTestApp } from '../support/test-app';
import { visit } from '../support/visits';
import { WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';

const URLS = '/api/v1/service/urls';

/** What a timer asks every few seconds for the whole installation: endpoints with something to deliver. */
const BY_TIMER = /^SELECT w.id, .* FROM webhook_endpoints w WHERE w.enabled AND \(w.replay_after/;

describe('hot statements on Citus', () => {
  const statementsOf = recordStatements();
  const app = useTestApp({ redis: true });
  let receiver: WebhookReceiver;
  let org: TestOrganization;
  let other: TestOrganization;

  beforeAll(async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    receiver = await WebhookReceiver.start();
    org = await createBook(app);
    other = await createOrganization(app);
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
    'list links': { organizations: 1, run: () => org.api.get(URLS).expect(200) },
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
    'statistics of a link': {
      organizations: 1,
      run: async () => {
        const { id } = await createLink(org);
        await org.api.get(`${URLS}/${id}/stats`).expect(200);
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
    const all = await explain(app, await statementsOf(run));
    const explained = all.filter(({ text }) => !BY_TIMER.test(text));
    const lines = explained.map(({ text, tasks }) => `  ${tasks.join(' + ')}  ${text.slice(0, 140)}`);
    process.stdout.write(`${[`Tasks of: ${name}`, ...lines].join('\n')}\n`);
    expect(explained.length).toBeGreaterThan(0);
    expect(explained.filter(({ tasks }) => Math.max(...tasks) > organizations)).toEqual([]);
  });
});

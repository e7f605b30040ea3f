import type { OutgoingRequest } from '../../src/common/outgoing/outgoing';
import { OutgoingClient } from '../../src/common/outgoing/outgoing-client';
import { Database } from '../../src/infrastructure/database/database';
import { LinkHealthSchedule } from '../../src/modules/link-health/link-health.schedule';
import { WebhookOutbox } from '../../src/modules/webhooks/outbox/webhook-outbox';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { eventsOf, keepEvents } from '../support/outbox';
import { usePagesServer } from '../support/pages-server';
import { perTest, TestApp, useTestApp } from '../support/test-app';

const NOW = '2026-11-20T08:32:00Z';
const DAY = 86_400_000;
const env = { LINK_HEALTH: 'true' };

describe('Health checks by two workers', () => {
  const one = useTestApp({ redis: true, env });
  const two = useTestApp(() => ({ database: one.database, env }));

  const pages = usePagesServer();
  beforeEach(async () => {
    pages.requests.length = 0;
    for (const app of [one, two]) app.clock.set(NOW);
    await one.sql('TRUNCATE scheduled_jobs');
    await one.alter('UPDATE links SET deleted_at = $1 WHERE deleted_at IS NULL', [one.clock.date()]);
  });
  const org = perTest(() => createOrganization(one));
  beforeEach(() => keepEvents(one, org));
  afterEach(() => jest.restoreAllMocks());

  const tick = (app: TestApp) => app.get(LinkHealthSchedule).tick();
  const link = async (path: string) => {
    const { id } = await createLink(org);
    await one.alter('UPDATE links SET original_url = $2 WHERE id = $1', [id, pages.origin + path]);
    return id;
  };
  const statuses = () =>
    one.sql<{ status: string }>(
      'SELECT status, cardinality(failed_at) AS failures FROM link_health ORDER BY tracked_link_id',
    );
  const loseConnections = () =>
    one.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE datname = current_database() AND state = 'idle in transaction'`);

  it('are made once, and ask no host twice at once', async () => {
    let [now, most] = [0, 0];
    for (const app of [one, two]) {
      const client = app.get(OutgoingClient);
      const send = client.request.bind(client);
      jest.spyOn(client, 'request').mockImplementation(async (request: OutgoingRequest) => {
        most = Math.max(most, ++now);
        const result = await send(request);
        now--;
        return result;
      });
    }
    for (let i = 0; i < 20; i++) {
      pages.on(`/${i}`, (_request, response) => void setTimeout(() => response.end('fine'), 20));
      await link(`/${i}`);
    }
    const ran = await Promise.all([tick(one), tick(two), tick(one), tick(two)]);
    expect(ran.filter(Boolean)).toHaveLength(1);
    expect(pages.requests).toHaveLength(20);
    expect(most).toBe(1);
    expect((await statuses()).every(({ status }) => status === 'healthy')).toBe(true);
  });

  it('are given up at once by a worker that loses the lock, and repeated by the other', async () => {
    let given = 0;
    pages.on('/slow', (request, response) => {
      response.on('close', () => given++);
      if (given > 0) response.end('fine');
    });
    await link('/slow');
    const first = tick(one);
    await eventually(async () => expect(pages.asked('/slow')).toBe(1));
    await loseConnections();
    expect(await first).toBe(false);
    await eventually(async () => expect(given).toBe(1));
    expect(await statuses()).toEqual([{ status: 'unknown', failures: 0 }]);
    expect(await tick(two)).toBe(true);
    expect(await statuses()).toEqual([{ status: 'healthy', failures: 0 }]);
  });

  it('store a result and its event together or not at all', async () => {
    pages.on('/out', (_request, response) => void response.writeHead(500).end());
    const id = await link('/out');
    for (let failure = 0; failure < 2; failure++) {
      expect(await tick(one)).toBe(true);
      for (const app of [one, two]) app.clock.advance(DAY);
    }
    const add = jest
      .spyOn(one.get(WebhookOutbox), 'add')
      .mockRejectedValue(new Error('The worker is killed'));
    await tick(one);
    expect(add).toHaveBeenCalled();
    expect(await statuses()).toEqual([{ status: 'unknown', failures: 2 }]);
    for (const app of [one, two]) app.clock.advance(60_000);
    await tick(two);
    await tick(one);
    expect(await statuses()).toEqual([{ status: 'unhealthy', failures: 3 }]);
    const names = (await eventsOf(one, org.organizationId)).map(({ name, data }) => [name, data.id]);
    expect(names.filter(([name]) => name === 'link.unhealthy')).toEqual([['link.unhealthy', id]]);
  });

  it('end at once when their worker stops', async () => {
    const stopping = await TestApp.start({ database: one.database, env });
    stopping.clock.set(NOW);
    pages.on('/hangs', () => undefined);
    await link('/hangs');
    const running = tick(stopping);
    await eventually(async () => expect(pages.asked('/hangs')).toBe(1));
    await stopping.close();
    expect(await running).toBe(true);
    expect(await statuses()).toEqual([{ status: 'unknown', failures: 0 }]);
  });

  it('do not run in web-only processes', async () => {
    const web = await TestApp.start({ database: one.database, env: { ...env, ROLE: 'web' } });
    await link('/web');
    expect(await tick(web)).toBe(false);
    expect(await web.get(Database).read('SELECT FROM link_health WHERE checked_at IS NOT NULL')).toEqual([]);
    await web.close();
  });
});

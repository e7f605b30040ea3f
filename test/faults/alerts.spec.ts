import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { eventually } from '../support/eventually';
import { expectAlerts, type Fault } from '../support/promtool';
import { parseScrape, type Scrape } from '../support/scrape';
import { freePort } from '../support/servers';
import { WebhookReceiver } from '../support/webhook-receiver';
import { Customer, type TestLink, visit } from './customer';
import type { FaultProxy } from './fault-proxy';
import type { Service } from './service';
import { Stage } from './stage';

const UNSUBSCRIBES = '/api/v1/service/messaging/unsubscribes';
/** Series of the whole installation are read anew after ten seconds. */
const CACHE_MS = 10_500;
const POOL = 5;

/** Each fault of a running service makes the alerts fire that are about it, and no others. */
describe('Alerts', () => {
  const stage = new Stage();
  let service: Service;
  let operations: string;
  let postgres: FaultProxy;
  let redis: FaultProxy;
  let client: Client;
  let receiver: WebhookReceiver;
  let customer: Customer;
  let link: TestLink;
  let before: Scrape;

  beforeAll(async () => {
    const database = await stage.database();
    client = new Client({ connectionString: database });
    await client.connect();
    stage.ending(() => client.end());
    const throughPostgres = await stage.proxied(database);
    const throughRedis = await stage.proxied((await stage.redis()).url);
    [postgres, redis] = [throughPostgres.proxy, throughRedis.proxy];
    const port = await freePort();
    operations = `http://127.0.0.1:${port}/metrics`;
    service = await stage.service({
      DATABASE_URL: throughPostgres.url,
      DATABASE_POOL: String(POOL),
      REDIS_URL: throughRedis.url,
      OPERATIONS_PORT: String(port),
      OUTBOUND_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'silent',
    });
    receiver = await WebhookReceiver.start();
    stage.ending(() => receiver.close());
    customer = await Customer.create(service.url);
    await customer.addWebhook(service.url, receiver.url, ['link.created']);
    link = await customer.createLink(service.url);
    expect(await visit(service.url, link, '203.0.113.1')).toBe(302);
    before = await eventually(async () => {
      const scraped = await scraping();
      expect(receiver.received).toHaveLength(1);
      expect(scraped.get('waypost_clicks_counted_total')).toBe(1);
      expect(scraped.get('waypost_webhook_attempts_total{outcome="delivered"}')).toBe(1);
      expect(scraped.get('waypost_click_oldest_waiting_seconds{journal="redis"}')).toBe(0);
      expect(scraped.get('waypost_scheduled_job_age_seconds{name="jobs.sweep"}')).toBeDefined();
      return scraped;
    });
  });
  afterAll(() => stage.clear());

  /** What Prometheus gets from the process; one that does not answer is down. */
  async function scraping(): Promise<Scrape> {
    const answer = await fetch(operations).catch(() => null);
    if (!answer) return new Map([['up', 0]]);
    return new Map([...parseScrape(await answer.text()), ['up', 1]]);
  }

  /** Two scrapes, with `meanwhile` and at least `ms` between them. */
  async function fault(
    ms: number,
    meanwhile: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Fault> {
    const startedAt = performance.now();
    const first = await scraping();
    await Promise.all([meanwhile(), delay(ms)]);
    const seconds = (performance.now() - startedAt) / 1_000;
    return { first, second: await scraping(), seconds };
  }

  /** Statements of a kind on a table fail, or last. */
  async function breakTable(kind: 'INSERT' | 'UPDATE', table: string, how = "RAISE 'broken by a test'") {
    await client.query(
      `CREATE FUNCTION break_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${how}; RETURN NULL; END $$`,
    );
    await client.query(
      `CREATE TRIGGER broken BEFORE ${kind} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION break_${table}()`,
    );
  }

  const mend = (table: string) => client.query(`DROP FUNCTION break_${table}() CASCADE`);
  const createLinks = () => customer.createLinks(service.url, 3);
  const visits = async (status: number) => {
    for (let i = 0; i < 3; i++) expect(await visit(service.url, link, '203.0.113.2')).toBe(status);
  };
  const startJob = () =>
    customer.post(service.url, `${UNSUBSCRIBES}/bulk?async=true`, {
      items: [{ value: '+821012345678' }],
    });

  it('fire when receivers refuse webhooks', async () => {
    receiver.status(500);
    const failed = (scraped: Scrape) => scraped.get('waypost_webhook_attempts_total{outcome="failed"}') ?? 0;
    await createLinks();
    await eventually(async () => expect(failed(await scraping())).toBeGreaterThan(2));
    const refused = await fault(0, async () => {
      await createLinks();
      await eventually(async () => expect(failed(await scraping())).toBeGreaterThan(5));
    });
    expectAlerts(before, refused, ['WaypostWebhooksFailing']);
  });

  it('fire when jobs fail', async () => {
    await breakTable('INSERT', 'unsubscribes');
    // As after four attempts, between which a job waits.
    await client.query('ALTER TABLE bulk_jobs ALTER failures SET DEFAULT 4');
    await startJob();
    const failed = await eventually(async () => {
      const scraped = await scraping();
      expect(scraped.get('waypost_bulk_jobs{state="failed"}')).toBe(1);
      return fault(0);
    });
    expectAlerts(before, failed, ['WaypostBulkJobFailed']);
    await client.query('ALTER TABLE bulk_jobs ALTER failures SET DEFAULT 0');
    await client.query("DELETE FROM bulk_jobs WHERE status = 'FAILED'");
  });

  it('fire when nobody counts, delivers, runs bulk jobs or scheduled work', async () => {
    await breakTable('INSERT', 'clicks');
    await breakTable('UPDATE', 'webhook_deliveries');
    await breakTable('UPDATE', 'bulk_jobs');
    await breakTable('UPDATE', 'scheduled_jobs');
    await visits(302);
    await createLinks();
    await startJob();
    const late = (scraped: Scrape) =>
      [
        'waypost_click_oldest_waiting_seconds{journal="redis"}',
        'waypost_webhook_oldest_due_seconds',
        'waypost_bulk_job_oldest_queued_seconds',
        'waypost_scheduled_job_failures_total{name="webhooks.sweep"}',
      ].every((series) => (scraped.get(series) ?? 0) > 0);
    const waiting = await eventually(async () => {
      expect(late(await scraping())).toBe(true);
      return fault(CACHE_MS);
    });
    expectAlerts(before, waiting, [
      'WaypostClicksNotCounted',
      'WaypostDeliveriesOverdue',
      'WaypostBulkJobsWaiting',
      'WaypostScheduledJobFailing',
      'WaypostScheduledJobNotRun',
    ]);
    for (const table of ['clicks', 'webhook_deliveries', 'bulk_jobs', 'scheduled_jobs']) await mend(table);
  });

  it('fire when statements wait for a connection', async () => {
    await breakTable('INSERT', 'links', 'PERFORM pg_sleep(2)');
    const creating = customer.createLinks(service.url, 4 * POOL);
    const waiting = await eventually(async () => {
      const each = await fault(0);
      expect(each.second.get('waypost_database_waiting{pool="main"}')).toBeGreaterThan(0);
      return each;
    });
    await mend('links');
    await creating;
    expectAlerts(before, waiting, ['WaypostPoolExhausted']);
  });

  it('fire when the stores are away, and when the disk takes no clicks either', async () => {
    const spool = join(service.dataDir, 'spool');
    rmSync(spool, { recursive: true, force: true });
    writeFileSync(spool, '');
    await postgres.refuse();
    await redis.refuse();
    await visits(503);
    // The last reading before the outage is printed for ten seconds.
    await eventually(async () => {
      expect([...(await scraping()).keys()].join()).not.toContain('waypost_click_oldest_waiting_seconds');
    });
    const refused = await fault(0, () => visits(503));
    const away = ['WaypostPostgresAway', 'WaypostRedisAway', 'WaypostNobodyReports'];
    expectAlerts(before, refused, [...away, 'WaypostRedirectsFailing', 'WaypostClicksRefused']);

    rmSync(spool);
    await visits(302);
    const spooled = await fault(2_000, () => visits(302));
    expectAlerts(before, spooled, [...away, 'WaypostClicksSpooled', 'WaypostSpoolOld']);
  });

  it('fire when a process is gone', async () => {
    await service.kill();
    expectAlerts(before, await fault(0), ['WaypostProcessDown', 'WaypostNobodyReports']);
  });
});

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { MAX_STREAM_SHARDS } from '../../src/config/config';
import { Database } from '../../src/infrastructure/database/database';
import { RedisStore } from '../../src/infrastructure/redis/redis';
import { OncePerSchedule } from '../../src/infrastructure/schedule/once-per-schedule';
import { ClickIngest } from '../../src/modules/click-statistics/counting/click-ingest';
import { CountingTransactions } from '../../src/modules/click-statistics/counting/counting-transactions';
import { encodeClick } from '../../src/modules/clicks/click';
import { streamKey } from '../../src/modules/clicks/journal/click-stream';
import { ClickSpool } from '../../src/modules/clicks/journal/click-spool';
import { eventually } from '../support/eventually';
import { createOrganization, deduplicate } from '../support/factories';
import { codeOf, createLink } from '../support/links';
import { increases, type Scrape, scrape } from '../support/scrape';
import { TestApp, useTestApp } from '../support/test-app';
import { plainClick, visit } from '../support/visits';

const env = { OPERATIONS_PORT: '0' };
const OF_INSTALLATION = 'waypost_click_oldest_waiting_seconds{journal="redis"}';

/** The queries of a Grafana dashboard. */
function expressionsOf(dashboard: string): string[] {
  const { panels } = JSON.parse(dashboard) as { panels: { targets?: { expr: string }[] }[] };
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

describe('Metrics', () => {
  const app = useTestApp({ env, redis: true });

  /** A scrape with the series of the installation, counted anew. */
  const counted = async () => {
    app.clock.advance(10_000);
    return scrape(app);
  };

  it('are those of docs/operations.md', async () => {
    await counted();
    const { text } = await request(app.operationsUrl).get('/metrics').expect(200);
    const printed = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);
    const own = printed.filter((name) => !/^(?:process|nodejs)_/.test(name));
    const document = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8');
    const documented = [...document.matchAll(/^\| `((?:waypost|http)_\w+)` /gm)].map(([, name]) => name);
    expect(own.sort()).toEqual(documented.sort());
  });

  it.each(['prometheus/rules.yml', 'grafana/waypost.json'])('are all that docker/%s uses', async (file) => {
    const { text } = await request(app.operationsUrl).get('/metrics').expect(200);
    const printed = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
      ),
    );
    const content = readFileSync(join(__dirname, '../../docker', file), 'utf8');
    const expressions = file.endsWith('.json')
      ? expressionsOf(content)
      : [...content.matchAll(/expr:([^]*?)\n +(?:for|labels):/g)].map(([, expression]) => expression ?? '');
    const used = expressions.join(' ').match(/\b(?:waypost|http|process|nodejs)_\w+/g) ?? [];
    expect(new Set(used).size).toBeGreaterThan(10);
    expect(used.filter((name) => !printed.has(name))).toEqual([]);
  });

  it('of the installation are printed by every worker', async () => {
    await counted();
    const start = (role: string) =>
      TestApp.start({ env: { ...env, ROLE: role }, redis: true, database: app.database });
    const [worker, web] = await Promise.all([start('worker'), start('web')]);
    expect((await scrape(worker)).has(OF_INSTALLATION)).toBe(true);
    expect((await scrape(web)).has(OF_INSTALLATION)).toBe(false);
    await Promise.all([worker.close(), web.close()]);
  });

  it('count clicks that are counted, and those that de-duplication filters out', async () => {
    const organization = await createOrganization(app);
    const link = await createLink(organization);
    await deduplicate(app, organization, `links/${link.id}`, 5);
    const before = await scrape(app);
    const added = (name: string, after: Scrape) => increases(name, before, after);
    for (let i = 0; i < 3; i++) await visit(app, `/${codeOf(link)}`).expect(302);
    await eventually(async () => {
      const after = await scrape(app);
      expect(added('waypost_clicks_counted_total', after)).toEqual({ '': 1 });
      expect(added('waypost_clicks_filtered_total', after)).toEqual({ '{at="store"}': 2 });
    });
    // As clicks of a stream whose locks were lost.
    const dedup = { address: 'ab12', windowMs: 60_000, settled: false };
    const at = app.clock.now();
    const clicks = [1, 2, 3].map((id) =>
      plainClick({ id, at, trackedLinkId: link.id, organizationId: organization.organizationId, dedup }),
    );
    const ingest = app.get(ClickIngest);
    const prepared = await ingest.prepare(clicks);
    await app.get(CountingTransactions).run((tx) => ingest.ingest(tx, prepared));
    const after = await scrape(app);
    expect(added('waypost_clicks_counted_total', after)).toEqual({ '': 2 });
    expect(added('waypost_clicks_filtered_total', after)).toEqual({ '{at="store"}': 2, '{at="count"}': 2 });
  });

  it('say where clicks are, and how long the oldest has waited', async () => {
    const organization = await createOrganization(app);
    const path = `/${codeOf(await createLink(organization))}`;
    const before = await counted();
    const journaled = (after: Scrape) => increases('waypost_clicks_journaled_total', before, after);
    const held = jest.spyOn(app.get(ClickIngest), 'prepare').mockRejectedValue(new Error('held'));
    await visit(app, path).expect(302);
    app.clock.advance(90_000);
    const waiting = await counted();
    expect(journaled(waiting)).toEqual({ '{store="redis"}': 1 });
    expect(waiting.get(OF_INSTALLATION)).toBeGreaterThanOrEqual(90);
    held.mockRestore();
    await eventually(async () => expect((await counted()).get(OF_INSTALLATION)).toBe(0));
    const spool = app.get(ClickSpool);
    const full = jest.spyOn(spool, 'append').mockRejectedValue(new Error('ENOSPC'));
    Object.defineProperty(spool, 'inUse', { configurable: true, get: () => true, set: () => {} });
    await visit(app, path).expect(503);
    full.mockRestore();
    await visit(app, path).expect(302);
    Object.defineProperty(spool, 'inUse', { configurable: true, writable: true, value: false });
    const after = await scrape(app);
    expect(increases('waypost_clicks_refused_total', before, after)).toEqual({ '': 1 });
    expect(journaled(after)).toEqual({ '{store="redis"}': 1, '{store="spool"}': 1 });
  });

  it('include clicks of shards that CLICK_STREAM_SHARDS no longer has', async () => {
    const waiting = (scraped: Scrape) => scraped.get('waypost_click_backlog_entries{journal="redis"}');
    await eventually(async () => expect(waiting(await counted())).toBe(0));
    const store = app.get(RedisStore);
    const stream = streamKey(store, MAX_STREAM_SHARDS - 1);
    const line = encodeClick(
      plainClick({ id: 1, at: app.clock.now() - 70_000, trackedLinkId: 1, organizationId: 1 }),
    );
    await store.readyFor(stream)?.xadd(stream, '*', 'c', line);
    // The click that the test before has spooled may arrive meanwhile.
    await eventually(async () => {
      const left = await counted();
      expect(left.get(OF_INSTALLATION)).toBeGreaterThanOrEqual(70);
      expect(waiting(left)).toBe(1);
    });
    await store.readyFor(stream)?.del(stream);
  });

  it('leave out the clicks in Redis while a server of theirs is not connected', async () => {
    const store = app.get(RedisStore);
    const away = streamKey(store, MAX_STREAM_SHARDS - 1);
    const readyFor = store.readyFor.bind(store);
    const cut = jest
      .spyOn(store, 'readyFor')
      .mockImplementation((key) => (key === away ? null : readyFor(key)));
    await eventually(async () => {
      app.clock.advance(10_000);
      const scraped = await scrape(app);
      for (const name of ['waypost_click_oldest_waiting_seconds', 'waypost_click_backlog_entries']) {
        expect(scraped.get(`${name}{journal="postgres"}`)).toBe(0);
        expect(scraped.has(`${name}{journal="redis"}`)).toBe(false);
      }
    });
    cut.mockRestore();
    await counted();
  });

  it('say how much waits in the spool, and for how long', async () => {
    const folder = join(app.config.dataDir, 'spool');
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'other.open');
    await eventually(async () => expect(readdirSync(folder)).toEqual([]));
    const [organizationId, trackedLinkId] = [1, 1];
    const lines = [60_000, 0].map((age) =>
      encodeClick(plainClick({ id: age, at: app.clock.now() - age, trackedLinkId, organizationId })),
    );
    // A probe begins with an empty line, and a killed process ends with a part of one.
    const text = `\n${lines.join('\n')}\n{"id`;
    writeFileSync(path, text);
    const scraped = await scrape(app);
    rmSync(path);
    expect(scraped.get('waypost_click_spool_bytes')).toBe(text.length);
    expect(scraped.get('waypost_click_spool_oldest_seconds')).toBeCloseTo(60, -1);
    const after = await scrape(app);
    expect(after.get('waypost_click_spool_bytes')).toBe(0);
    expect(after.get('waypost_click_spool_oldest_seconds')).toBe(0);
  });

  it('count hits and misses of caches', async () => {
    const organization = await createOrganization(app);
    const path = `/${codeOf(await createLink(organization))}`;
    const before = await scrape(app);
    const links = async () => {
      const added = increases('waypost_cache_lookups_total', before, await scrape(app));
      return ['hit', 'miss'].map((result) => added[`{cache="links",result="${result}"}`] ?? 0);
    };
    await visit(app, path).expect(302);
    const [, missed] = await links();
    expect(missed).toBe(1);
    await visit(app, path).expect(302);
    const [hits, misses] = await links();
    expect(misses).toBe(1);
    expect(hits).toBeGreaterThan(0);
  });

  it('say what runs', async () => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
      version: string;
    };
    const labels = `version="${version}",node="${process.version}",role="all"`;
    expect((await scrape(app)).get(`waypost_build_info{${labels}}`)).toBe(1);
  });

  it('count calls over a limit', async () => {
    const { api } = await createOrganization(app, { serviceRatePerMinute: 1 });
    const limited = async () => (await scrape(app)).get('waypost_rate_limited_total{limit="service"}') ?? 0;
    const before = await limited();
    for (const status of [200, 429]) await api.get('/api/v1/service/urls').expect(status);
    expect(await limited()).toBe(before + 1);
  });

  it('count connections in use', async () => {
    const inUse = async () =>
      (await scrape(app)).get('waypost_database_connections{pool="main",state="in_use"}') ?? NaN;
    const held = await app.get(Database).write(async (tx) => {
      await tx.query('SELECT 1');
      return inUse();
    });
    expect(held).toBeGreaterThanOrEqual(1);
    await eventually(async () => expect(await inUse()).toBe(0));
  });

  it('say which stores answer', async () => {
    const states = async () => {
      const scraped = await scrape(app);
      return ['redis', 'postgres', 'migrations', 'clicks'].map((check) =>
        scraped.get(`waypost_check_up{check="${check}"}`),
      );
    };
    expect(await states()).toEqual([1, 1, 1, 1]);
    const ways = (['read', 'lookup'] as const).map((way) =>
      jest.spyOn(app.get(Database), way).mockRejectedValue(new Error('away')),
    );
    expect(await states()).toEqual([1, 0, 1, 0]);
    for (const way of ways) way.mockRestore();
    const servers = [...(await scrape(app))].filter(([series]) => series.startsWith('waypost_redis_up'));
    expect(servers.length).toBeGreaterThan(0);
    expect(servers.map(([, value]) => value)).toEqual(servers.map(() => 1));
  });

  it('count bulk jobs by state', async () => {
    const { organizationId } = await createOrganization(app);
    const insert = (status: string, age: string, finished: string | null) =>
      app.sql(
        `INSERT INTO bulk_jobs (organization_id, type, status, total, created_at, finished_at, lease_until)
         VALUES ($1, 'CONTACTS', $2, 1, $3::timestamptz - $4::interval, $3::timestamptz - $5::interval, 'infinity')`,
        [organizationId, status, app.clock.date(), age, finished],
      );
    await insert('QUEUED', '90 s', null);
    await insert('QUEUED', '10 s', null);
    await insert('RUNNING', '2 days', null);
    await insert('FAILED', '2 days', '30 min');
    await insert('FAILED', '2 days', '2 h');
    await insert('COMPLETED', '2 days', '2 h');
    const scraped = await eventually(async () => {
      const each = await counted();
      expect(each.get('waypost_bulk_jobs{state="queued"}')).toBe(2);
      return each;
    });
    const states = ['running', 'completed', 'failed'];
    expect(states.map((state) => scraped.get(`waypost_bulk_jobs{state="${state}"}`))).toEqual([1, 0, 1]);
    expect(scraped.get('waypost_bulk_job_oldest_queued_seconds')).toBeGreaterThanOrEqual(90);
    await app.sql('DELETE FROM bulk_jobs');
  });

  it('say when scheduled work last ran, and count its failures', async () => {
    const schedule = app.get(OncePerSchedule);
    const of = (scraped: Scrape, job: string) =>
      ['age_seconds', 'period_seconds', 'failures_total'].map((name) =>
        scraped.get(`waypost_scheduled_job_${name}{name="${job}"}`),
      );
    await app.sql(`INSERT INTO scheduled_jobs (name, last_run_at) VALUES ('of.another.version', $1)`, [
      app.clock.date(),
    ]);
    expect(await schedule.run('test.works', 60, async () => undefined)).toBe(true);
    expect(await schedule.run('test.fails', 60, () => Promise.reject(new Error('no')))).toBe(false);
    app.clock.advance(300_000);
    const scraped = await counted();
    expect(of(scraped, 'test.works')).toEqual([expect.closeTo(310, -2), 60, 0]);
    expect(of(scraped, 'test.fails')).toEqual([expect.closeTo(310, -2), 60, 1]);
    expect(of(scraped, 'of.another.version')).toEqual([undefined, undefined, undefined]);
  });
});

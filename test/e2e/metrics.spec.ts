import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { ClickIngest } from '../../src/modules/click-statistics/counting/click-ingest';
import { ClickSpool } from '../../src/modules/clicks/spool/click-spool';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { codeOf, createLink } from '../support/links';
import { increases, type Scrape, scrape } from '../support/scrape';
import { TestApp, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

const env = { OPERATIONS_PORT: '0' };
const OF_INSTALLATION = 'waypost_click_oldest_waiting_seconds{journal="redis"}';

describe('Metrics', () => {
  const app = useTestApp({ env, redis: true });

  /** A scrape with the series of the installation, counted anew. */
  const counted = (of: TestApp) =>
    eventually(async () => {
      of.clock.advance(10_000);
      const scraped = await scrape(of);
      expect(scraped.has(OF_INSTALLATION)).toBe(true);
      return scraped;
    });

  it('are those of docs/operations.md', async () => {
    await counted(app);
    const { text } = await request(app.operationsUrl).get('/metrics').expect(200);
    const printed = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);
    const own = printed.filter((name) => !/^(?:process|nodejs)_/.test(name));
    const document = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8');
    const documented = [...document.matchAll(/^\| `((?:waypost|http)_\w+)` /gm)].map(([, name]) => name);
    expect(own.sort()).toEqual(documented.sort());
  });

  it('of the installation are printed by one process, and by another after it', async () => {
    await counted(app);
    const other = await TestApp.start({ env, database: app.database });
    const has = async (of: TestApp) => (await scrape(of)).has(OF_INSTALLATION);
    expect(await has(other)).toBe(false);
    // The holder loses its connection, and with it the lock.
    const [holder] = await app.sql<{ pid: number }>(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 7234007
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await app.sql('SELECT pg_terminate_backend($1)', [holder?.pid]);
    await eventually(async () => {
      const both = [await has(app), await has(other)];
      expect(both.filter(Boolean)).toHaveLength(1);
    });
    await app.close();
    await counted(other);
    await app.start({ env, database: other.database });
    await other.close();
    await counted(app);
  });

  it('say where clicks are, and how long the oldest has waited', async () => {
    const organization = await createOrganization(app);
    const path = `/${codeOf(await createLink(organization))}`;
    const before = await counted(app);
    const journaled = (after: Scrape) => increases('waypost_clicks_journaled_total', before, after);
    const held = jest.spyOn(app.get(ClickIngest), 'prepare').mockRejectedValue(new Error('held'));
    await visit(app, path).expect(302);
    app.clock.advance(90_000);
    const waiting = await counted(app);
    expect(journaled(waiting)).toEqual({ '{store="redis"}': 1 });
    expect(waiting.get(OF_INSTALLATION)).toBeGreaterThanOrEqual(90);
    held.mockRestore();
    await eventually(async () => expect((await counted(app)).get(OF_INSTALLATION)).toBe(0));
    const spool = app.get(ClickSpool);
    const full = jest.spyOn(spool, 'append').mockRejectedValue(new Error('ENOSPC'));
    Object.defineProperty(spool, 'inUse', { configurable: true, get: () => true, set: () => undefined });
    await visit(app, path).expect(503);
    full.mockRestore();
    await visit(app, path).expect(302);
    Object.defineProperty(spool, 'inUse', { configurable: true, writable: true, value: false });
    const after = await scrape(app);
    expect(increases('waypost_clicks_refused_total', before, after)).toEqual({ '': 1 });
    expect(journaled(after)).toEqual({ '{store="redis"}': 1, '{store="spool"}': 1 });
  });
});

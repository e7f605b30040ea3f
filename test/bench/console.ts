import type { Browser, Page } from 'playwright-core';
import type { DataSource } from 'typeorm';
import { launchChromium } from '../support/chromium';
import { ConsoleOrganization, loadClickedLinks } from './support/console-data';
import { type ConsolePage, consolePages } from './support/console-pages';
import { COUNT_REQUESTS, open, type Opened } from './support/page-watch';
import { BenchProcess, printLoad } from './support/processes';
import { type BenchStores, runBench } from './support/stores';
import { median } from './support/wrk';

/*
 * Measures pages of the console in Chromium: from the start of the navigation until the page is usable, for an
 * organization with 100,000 links, 10,000 contacts and a million clicks of 90 days. Every page is opened by its address,
 * with the scripts in the browser's cache; the first page also without.
 */
const VOLUME = {
  links: Number(process.env.BENCH_LINKS ?? 100_000),
  clicks: Number(process.env.BENCH_CLICKS ?? 1_000_000),
  days: 90,
};
const CONTACTS = Number(process.env.BENCH_CONTACTS ?? 10_000);
const READS = Number(process.env.BENCH_READS ?? 5);
/** Only pages whose names contain it. */
const PAGES = process.env.BENCH_PAGES ?? '';
const WARM_UP = 1;
const PORT = 23_045;
const CONSOLE_TOKEN = 'bench-console-token-of-24';
const GOAL_MS = 1_000;
const SCRIPT_GOAL_KB = 250;
const VIEWPORT = { width: 1280, height: 800 };

/** A tab of a browser with an empty cache, signed in. */
async function tab(browser: Browser, url: string, cookie: string): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-US' });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  await context.addInitScript(COUNT_REQUESTS);
  return context.newPage();
}

async function pagesOf(database: DataSource, organizationId: number): Promise<ConsolePage[]> {
  const [ids] = await database.query<[{ link: number; campaign: number; contact: number }]>(
    `SELECT tracked_link_id AS link,
            (SELECT min(id)::bigint FROM campaigns WHERE organization_id = $1) AS campaign,
            (SELECT min(id)::bigint FROM contacts WHERE organization_id = $1) AS contact
       FROM click_totals WHERE organization_id = $1 AND kind = 1 ORDER BY clicks DESC, tracked_link_id LIMIT 1`,
    [organizationId],
  );
  return consolePages({ ...ids, tag: 'tag 1' }).filter(({ name }) => name.includes(PAGES));
}

const ms = (value: number) => `${value.toFixed(0)} ms`;

/** The last column: the slowest call of the API, or why the page did not become usable. */
function remark({ missing, calls }: Opened): string {
  if (missing !== null) return missing;
  const [slowest] = calls.toSorted((a, b) => b.took - a.took);
  if (!slowest) return '';
  const path = slowest.path.replace(/^\/api\/v1\/console\/(organizations\/\d+)?/, '');
  return `${calls.length} calls; ${ms(slowest.took)}, from ${ms(slowest.startedAt)}: ${path}`;
}

/** One line of the table. */
function report(name: string, opened: readonly Opened[]): void {
  const usable = median(opened.map(({ usableAfter }) => usableAfter));
  const typical = opened.find(({ usableAfter }) => usableAfter === usable);
  const verdict = usable > GOAL_MS ? 'MISSED' : '';
  console.log(
    [name.padEnd(24), ms(usable).padStart(11), verdict.padEnd(6), typical ? remark(typical) : ''].join(' | '),
  );
}

async function measure(page: Page, url: string, { name, path, content }: ConsolePage): Promise<void> {
  const opened: Opened[] = [];
  for (let read = -WARM_UP; read < READS; read++) {
    const each = await open(page, `${url}/console${path}`, content);
    if (read >= 0 || each.missing !== null) opened.push(each);
    if (each.missing !== null) break;
  }
  report(name, opened);
}

/** The first page in a browser that has never been there. */
async function measureFirst(
  browser: Browser,
  url: string,
  cookie: string,
  { name, path, content }: ConsolePage,
): Promise<void> {
  const opened: Opened[] = [];
  for (let read = 0; read < READS; read++) {
    const page = await tab(browser, url, cookie);
    opened.push(await open(page, `${url}/console${path}`, content));
    await page.context().close();
  }
  report(`${name}, empty cache`, opened);
  const kilobytes = median(opened.map(({ scriptBytes }) => scriptBytes)) / 1_000;
  console.log(
    `scripts of ${name}, without plots: ${kilobytes.toFixed(0)} KB compressed (at most ${SCRIPT_GOAL_KB})` +
      (kilobytes > SCRIPT_GOAL_KB ? ' MISSED' : ''),
  );
}

async function main(stores: BenchStores): Promise<void> {
  const redisUrl = await stores.redis();
  const { url: databaseUrl, database } = await stores.database('bench_console', 4);
  const organizationId = await loadClickedLinks(database, VOLUME);
  const server = await BenchProcess.waypost(
    PORT,
    { databaseUrl, redisUrl },
    { LOG_LEVEL: 'silent', CONSOLE_TOKEN, LINK_HEALTH: 'false', OG_FETCH: 'false' },
  );
  const organization = new ConsoleOrganization(server.url, CONSOLE_TOKEN, organizationId);
  await organization.fill(database, CONTACTS);
  const cookie = await organization.signIn();
  console.log(`${VOLUME.links} links, ${CONTACTS} contacts, ${VOLUME.clicks} clicks`);
  printLoad();
  const browser = await launchChromium('');
  console.log(`page | median of ${READS}, at most ${ms(GOAL_MS)} | | slowest call`);
  const page = await tab(browser, server.url, cookie);
  const pages = await pagesOf(database, organizationId);
  for (const each of pages) await measure(page, server.url, each);
  const [first] = pages;
  if (first) await measureFirst(browser, server.url, cookie, first);
  printLoad();
  await browser.close();
  await server.stop();
}

runBench(main);

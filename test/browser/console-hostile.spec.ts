import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { goTo, settled, useTestConsole } from '../support/console';
import { eventually } from '../support/eventually';
import { type HostileData, HostileWriter } from '../support/hostile-console';
import { writeHostileReports } from '../support/hostile-reports';
import { HOSTILE_TEXTS } from '../support/hostile-texts';
import { API_HOST } from '../support/test-app';
import { WebhookReceiver } from '../support/webhook-receiver';

/** What a page let happen, and what stands in it that only its own code may write. */
interface Found {
  ran: boolean;
  handlers: string[];
  addresses: string[];
  frames: number;
  polluted: boolean;
}

const LISTS = [
  '/',
  '/links',
  '/links?new=1',
  '/campaigns',
  '/journeys',
  '/journeys?tab=revenue',
  '/journeys?tab=activity',
  '/journeys?tab=sessions',
  '/contacts',
  '/segments',
  '/opt-outs',
  '/apps',
  '/domains',
  '/tester',
  '/webhooks',
  '/settings',
  '/settings?tab=organization',
  '/settings?tab=users',
  '/settings?tab=keys',
  '/settings?tab=allowList',
  '/settings?tab=audit',
];

describe('hostile values in the console', () => {
  const console = useTestConsole({ defaultRegion: 'KR', allowList: ['127.0.0.0/8'] });
  let data: HostileData;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    data = await new HostileWriter(console.app, console.organization).write();
    await writeHostileReports(console.app, console.organization, receiver, data);
  });
  afterAll(() => receiver.close());

  const opened = async (path: string) => {
    const looked = await console.open(path);
    const happened: string[] = [];
    looked.page.on('dialog', (dialog) => {
      happened.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    looked.page.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (host !== API_HOST && !['data:', 'blob:'].includes(protocol)) happened.push(request.url());
    });
    looked.page.on('response', (response) => {
      if (response.status() >= 400) happened.push(`${response.status()} ${response.url()}`);
    });
    return { ...looked, happened };
  };
  const harmless = async (page: Page, path: string) =>
    expect([path, await page.evaluate<Found>(FIND)]).toEqual([
      path,
      { ran: false, handlers: [], addresses: [], frames: 0, polluted: false },
    ]);

  it('are about two hundred, most of which the API takes', () => {
    expect(HOSTILE_TEXTS.length).toBeGreaterThan(190);
    expect(data.faults).toEqual([]);
    expect(new Set([...data.taken.values()].flat()).size).toBeGreaterThan(190);
  });

  it('run on no page', async () => {
    const { page, complaints, happened } = await opened('/');
    for (const path of [...LISTS, ...data.paths]) {
      await goTo(page, path);
      await harmless(page, path);
    }
    expect([happened, complaints]).toEqual([[], []]);
  });

  it('are shown as the text that they are', async () => {
    const session = data.paths.find((path) => path.startsWith('/journeys/')) ?? '';
    const { page } = await opened('/');
    for (const [path, field] of [
      ['/links', 'link.title'],
      ['/campaigns', 'campaign.name'],
      ['/contacts', 'contact.name'],
      ['/segments', 'segment.name'],
      ['/apps', 'app.appName'],
      ['/settings?tab=keys', 'key.name'],
      ['/settings?tab=users', 'user.name'],
      ['/opt-outs?channel=EMAIL', 'optOut.source'],
      [session, 'event.type'],
    ] as const) {
      await goTo(page, path);
      await page.evaluate('scrollTo(0, 0)');
      const values = data.taken.get(field) ?? [];
      expect(values.length).toBeGreaterThan(0);
      let shown = '';
      // A table has only the rows in sight in the document.
      await eventually(async () => {
        shown += squeezed(await page.evaluate<string>('document.querySelector("main").textContent'));
        await page.evaluate('scrollBy(0, innerHeight / 2)');
        expect(values.filter((value) => !shown.includes(squeezed(value)))).toEqual([]);
      });
      await harmless(page, path);
    }
  });

  it('run neither in what receivers answer nor in changes of the audit log nor in names of groups', async () => {
    const { page, complaints, happened } = await opened(data.paths.at(-1) ?? '');
    await page.getByRole('button', { name: 'Details' }).first().click();
    await page.getByRole('dialog').getByText('onerror=').first().waitFor();
    await harmless(page, 'delivery');
    await goTo(page, '/settings?tab=audit&resourceType=segment');
    await page.getByRole('button', { name: 'Show' }).first().click();
    await page.getByRole('dialog').getByText('"name"').waitFor();
    await harmless(page, 'changes');
    await goTo(page, '/contacts');
    await page.getByRole('button', { name: 'Groups' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Edit group / })
      .first()
      .waitFor();
    await harmless(page, 'groups');
    expect([happened, complaints]).toEqual([[], []]);
  });

  it('run in no breakdown, table or menu of statistics, and in no downloaded file', async () => {
    const path = data.paths[0] ?? '';
    const { page, complaints, happened } = await opened(path);
    const plots = page.locator('main section[aria-label]');
    await plots.first().waitFor();
    const more = page.locator('main').getByRole('button', { name: 'More', exact: true });
    for (let left = await more.count(); left > 0; left--) await more.first().click();
    await settled(page);
    await harmless(page, 'more');
    let files = 0;
    for (const plot of await plots.all()) {
      const button = plot.getByRole('button', { name: /^Actions of/ });
      if ((await button.count()) !== 1) continue;
      const menu = page.getByRole('menu', {
        name: (await button.getAttribute('aria-label')) ?? '',
        exact: true,
      });
      await button.click();
      const csv = menu.getByRole('menuitem', { name: 'Download CSV' });
      if (await csv.isEnabled()) {
        const download = page.waitForEvent('download');
        await csv.click();
        guarded(await readFile(await (await download).path(), 'utf8'));
        files += 1;
        await button.click();
      }
      await menu.getByRole('menuitem', { name: 'Show as table' }).click();
    }
    expect(files).toBeGreaterThan(2);
    await settled(page);
    await harmless(page, 'tables');
    expect(happened).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

/** No cell of a file starts as a formula does. */
function guarded(file: string): void {
  const cells = [...file.matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  expect(cells.length).toBeGreaterThan(1);
  // A negative number and a phone number are no formulas.
  expect(cells.filter((cell) => /^\s*[=+\-@]/.test(cell) && !/^[+-]?[\d.]+$/.test(cell))).toEqual([]);
}

/** Texts without white space and the characters that no one sees. */
function squeezed(text: string): string {
  return text.replaceAll(/[\s\p{Cf}\p{Cc}]/gu, '');
}

const FIND = `(() => {
  const all = [...document.querySelectorAll('*')];
  return {
    ran: window.__ran !== undefined || window.hacked !== undefined,
    handlers: all.flatMap((element) =>
      element.getAttributeNames().filter((name) => /^on/i.test(name)).map((name) => element.localName + '@' + name)),
    addresses: all
      .flatMap((element) => ['href', 'src', 'action', 'formaction', 'data', 'xlink:href'].map((name) => element.getAttribute(name)))
      .filter((address) => address !== null && /^[\\s\\0-\\x1f]*(?:javascript|vbscript|data:text|file|filesystem):?/i.test(address)),
    frames: document.querySelectorAll('iframe, object, embed, base').length,
    polluted: ({}).polluted !== undefined,
  };
})()`;

import type { Page } from 'playwright-core';

/** A call of the API while a page opened, in milliseconds. */
interface Call {
  path: string;
  startedAt: number;
  took: number;
}

export interface Opened {
  /** Milliseconds from the start of the navigation until the page is usable. */
  usableAfter: number;
  /** Why it never was. */
  missing: string | null;
  calls: Call[];
  /** Bytes of scripts that were transferred, compressed as they were, without the library of plots and the map. */
  scriptBytes: number;
}

/** A page that was usable for so long stays usable. */
const STEADY_MS = 400;
const GIVE_UP_MS = 20_000;

/** Runs before the page's own scripts: knows how many requests are under way. */
export const COUNT_REQUESTS = `(() => {
  const send = globalThis.fetch;
  globalThis.underWay = 0;
  globalThis.fetch = (...call) => {
    globalThis.underWay++;
    return send(...call).finally(() => globalThis.underWay--);
  };
})()`;

/**
 * Opens an address, and waits until the page is usable: its heading and content are shown, nothing stands for what
 * loads, and no request is under way.
 * @param page has COUNT_REQUESTS
 * @param content selector of the page's content
 */
export async function open(page: Page, url: string, content: string): Promise<Opened> {
  await page.goto(url, { waitUntil: 'commit' });
  return page.evaluate<Opened>(watch(content));
}

const watch = (content: string) => `new Promise((resolve) => {
  const shown = (selector) => [...document.querySelectorAll(selector)].some((each) => each.checkVisibility());
  const missing = () =>
    !shown('main h1') ? 'no heading'
    : shown('.mantine-Skeleton-root, .mantine-Loader-root') ? 'still loads'
    : globalThis.underWay > 0 ? 'requests under way'
    : !shown(${JSON.stringify(content)}) ? 'no content: ' + document.querySelector('main')?.innerText.slice(0, 300)
    : null;
  let usableAfter;
  const look = () => {
    const now = performance.now();
    const lacks = missing();
    usableAfter = lacks === null ? (usableAfter ?? now) : undefined;
    if (now < ${GIVE_UP_MS} && !(now - usableAfter > ${STEADY_MS})) return void requestAnimationFrame(look);
    const resources = performance.getEntriesByType('resource');
    const { origin } = location;
    resolve({
      usableAfter: usableAfter ?? Infinity,
      missing: lacks,
      calls: resources
        .filter(({ name }) => name.startsWith(origin + '/api/'))
        .map(({ name, startTime, duration }) => ({ path: name.slice(origin.length), startedAt: startTime, took: duration })),
      scriptBytes: resources
        .filter(({ name }) => new URL(name).pathname.endsWith('.js') && !/assets\\/(world-)?chart-/.test(name))
        .reduce((sum, { transferSize }) => sum + transferSize, 0),
    });
  };
  look();
})`;

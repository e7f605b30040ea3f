import { hash } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from './chromium';
import { eventually } from './eventually';
import { SDK_VERSION, Shop } from './shop';
import { perSuite } from './test-app';

/** Code for `Waypost.init` with these options and those of all pages of the shop. */
export function initCode(options: Record<string, unknown> = {}): string {
  const all = { appId: 42, proxyUrl: '/waypost', ...options };
  return `void Waypost.init(${JSON.stringify(all)})`;
}

/** Collects Waypost's messages in the page's console from now on. */
export function consoleOf(page: Page): string[] {
  const lines: string[] = [];
  page.on('console', (message) => {
    if (message.text().startsWith('[Waypost]')) lines.push(`${message.type()}: ${message.text()}`);
  });
  return lines;
}

/** Code that sends a page to the background and back, as phones do. */
export const HIDE = visibilityCode('hidden');
export const SHOW = visibilityCode('visible');

function visibilityCode(state: string): string {
  return `Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
    document.dispatchEvent(new Event('visibilitychange'));`;
}

/** Visits to a shop in Chromium. */
export class ShopVisits {
  private readonly contexts: BrowserContext[] = [];

  private constructor(
    private readonly browser: Browser,
    readonly shop: Shop,
  ) {}

  static async start(shop: Shop): Promise<ShopVisits> {
    return new ShopVisits(await launchChromium('MAP *.test 127.0.0.1'), await shop.open());
  }

  /** A new visitor's browser context. */
  async visitor(): Promise<BrowserContext> {
    const context = await this.browser.newContext();
    context.setDefaultTimeout(60_000);
    this.contexts.push(context);
    return context;
  }

  /** The shop in a new tab, with the SDK loaded but not started. */
  async open(context: BrowserContext, path = '/', origin = this.shop.origin): Promise<Page> {
    const page = await context.newPage();
    await page.goto(origin + path);
    return page;
  }

  /** A new visitor's page with a tracker and a session. */
  async tracked(options: Record<string, unknown> = {}, path = '/'): Promise<Page> {
    const page = await this.open(await this.visitor(), path);
    await page.evaluate(initCode(options));
    await sessionOf(page);
    return page;
  }

  /** Cleans up after each test. */
  async leave(): Promise<void> {
    await Promise.all(this.contexts.splice(0).map((context) => context.close()));
    this.shop.reset();
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.shop.close();
  }
}

/** A shop and its visitors, for a suite. */
export function useShopVisits(): { visits: ShopVisits; shop: Shop } {
  const shop = new Shop();
  const visits = perSuite(() => ShopVisits.start(shop));
  afterEach(() => visits.leave());
  afterAll(() => visits.close());
  return { visits, shop };
}

/** Replaces the page's SDK by that of the service, pinned by `integrity`. */
export async function loadSdk(page: Page, service: string): Promise<void> {
  const src = `${service}/sdk/web/${SDK_VERSION}/waypost.js`;
  const bytes = Buffer.from(await (await fetch(src)).arrayBuffer());
  await page.evaluate(`new Promise((done, fail) => {
    delete window.Waypost;
    const script = document.createElement('script');
    Object.assign(script, { src: '${src}', crossOrigin: 'anonymous', onload: done, onerror: fail });
    script.integrity = 'sha384-${hash('sha384', bytes, 'base64')}';
    document.head.append(script);
  })`);
}

/** Calls a method of the page's tracker. */
export function call<T = unknown>(page: Page, code: string): Promise<T> {
  return page.evaluate<T>(`Waypost.getInstance().${code}`);
}

/** The id of the page's session, once it has one. */
export function sessionOf(page: Page): Promise<string> {
  return eventually(async () => {
    const session = await call<{ sessionId: string } | null>(page, 'getSession()');
    if (!session) throw new Error('The page has no session yet');
    return session.sessionId;
  });
}

/** Number of calls queued in the page's browser. */
export function stored(page: Page): Promise<number> {
  return page.evaluate<number>(`Object.keys(localStorage).filter((key) => key.includes('.q:')).length`);
}

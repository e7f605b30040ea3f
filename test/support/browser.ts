import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { launchChromium } from './chromium';
import { eventually } from './eventually';
import { perSuite, type TestApp } from './test-app';

const SCREENSHOTS = resolve(__dirname, '../.screenshots');

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
const DESKTOP =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

/** Device profiles of the browser. */
export const DEVICES = {
  desktop: { viewport: { width: 1280, height: 800 }, userAgent: DESKTOP },
  iphone: { ...PHONE, userAgent: IPHONE },
  android: { ...PHONE, userAgent: ANDROID },
  instagram: { ...PHONE, userAgent: `${IPHONE.replace(/ Safari.*/, '')} Instagram 389.0.0.19.84` },
} as const;
export type Device = keyof typeof DEVICES;

export interface LookOptions {
  userAgent?: string;
  javaScriptEnabled?: boolean;
  colorScheme?: 'light' | 'dark';
  /** Sent as Accept-Language. */
  locale?: string;
  reducedMotion?: 'reduce' | 'no-preference';
}

/** A page with its problems: console errors, failed scripts and CSP violations. */
export interface Looked {
  page: Page;
  context: BrowserContext;
  complaints: string[];
}

/** Requests without an answer, by context. */
const pending = new WeakMap<BrowserContext, Set<Request>>();

/** A Chromium that maps every host to the test application; other sites answer with a page that shows its own URL. */
export class TestBrowser {
  private readonly contexts: BrowserContext[] = [];

  private constructor(private readonly browser: Browser) {}

  static async start(app: TestApp): Promise<TestBrowser> {
    return new TestBrowser(await launchChromium(`MAP * ${new URL(app.url).host}`));
  }

  /** Opens a page in a fresh browser context. */
  async look(device: Device, options: LookOptions = {}): Promise<Looked> {
    const context = await this.browser.newContext({ ...DEVICES[device], ...options });
    this.contexts.push(context);
    context.setDefaultTimeout(60_000);
    watchRequests(context);
    await context.route(isElsewhere, (route) =>
      route.request().resourceType() === 'image'
        ? route.fulfill({ contentType: 'image/svg+xml', body: PICTURE })
        : route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>Elsewhere' }),
    );
    const complaints: string[] = [];
    await context.exposeBinding('complain', (_source, text: string) => complaints.push(text));
    await context.addInitScript(WATCH);
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    return { page, context, complaints };
  }

  /** Closes every page. */
  async leave(): Promise<void> {
    await Promise.all(this.contexts.splice(0).map((context) => context.close()));
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}

/** The browser of a suite; pages that a test has opened are closed after it. */
export function useTestBrowser(app: TestApp): TestBrowser {
  const browser = perSuite(() => TestBrowser.start(app));
  afterEach(() => browser.leave());
  afterAll(() => browser.close());
  return browser;
}

function watchRequests(context: BrowserContext): void {
  const requests = new Set<Request>();
  pending.set(context, requests);
  context.on('request', (request) => {
    // A stream has no end.
    if (!request.url().includes('/clicks/live')) requests.add(request);
  });
  context.on('requestfinished', (request) => requests.delete(request));
  context.on('requestfailed', (request) => requests.delete(request));
}

/** Waits until the page has loaded, awaits no answer, and has done what followed the last one. */
export async function quiet(page: Page): Promise<void> {
  await page.waitForLoadState();
  await eventually(async () => {
    // The second round covers requests that follow from the first.
    for (let round = 0; round < 2; round++) {
      await page.evaluate(`scheduler.postTask(() => undefined, { priority: 'background' })`);
      const urls = [...(pending.get(page.context()) ?? [])].map((request) => request.url());
      if (urls.length > 0) throw new Error(`No answer from ${urls.join(', ')}`);
    }
  });
}

/** With `SCREENSHOTS=1`, saves a screenshot for people to inspect, in an ignored folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}

/** Whether the page fits without horizontal scrolling. */
export function fits(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth <= innerWidth');
}

/** Texts whose contrast with their background is below WCAG AA (4.5 to 1), with the ratio. */
export function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate(FAINT_TEXTS);
}

/** Waits until the page is at the URL, tolerating aborted navigations on the way. */
export async function arrival(page: Page, url: string): Promise<void> {
  await eventually(async () => {
    if (page.url() !== url) throw new Error(`The page is at ${page.url()}, not at ${url}`);
  });
}

/** Freezes the page's time from the next navigation on; `page.clock.runFor` advances it. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: '2030-01-01T00:00:00Z' });
  await page.clock.pauseAt('2030-01-01T00:00:01Z');
}

function isElsewhere({ hostname }: URL): boolean {
  return !hostname.endsWith('.test');
}

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"><rect width="1200" height="630" fill="#3a6ea5"/><circle cx="600" cy="315" r="220" fill="#ffd166"/></svg>';

/** Runs in every page before its own scripts, outside its CSP. */
const WATCH = `addEventListener('securitypolicyviolation', (event) =>
  complain('blocked ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));`;

const FAINT_TEXTS = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminance = ([red, green, blue]) =>
    0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);
  const background = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const faint = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const text = texts.currentNode.textContent.trim();
    if (!text || !element.checkVisibility() || element.closest('script, style, noscript')) continue;
    const pair = [luminance(channels(getComputedStyle(element).color)), luminance(background(element))];
    const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    if (ratio < 4.5) faint.push(text + ': ' + ratio.toFixed(2));
  }
  return faint;
})()`;

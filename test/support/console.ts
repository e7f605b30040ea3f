import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import request from 'supertest';
import { type Device, fits, type Looked, type LookOptions, quiet, screenshot, TestBrowser } from './browser';
import type { Role } from '../../src/access/roles';
import {
  type ApiClient,
  consoleApi,
  createOrganization,
  type OrganizationOverrides,
  type TestOrganization,
} from './factories';
import { eventually } from './eventually';
import { API_HOST, type TestApp, useTestApp } from './test-app';

export const CONSOLE = `http://${API_HOST}/console`;

/** Resolves after transitions, during which contrast is lower. They start two frames after an element is mounted. */
const FADED_IN = `(async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const fades = document.getAnimations().filter((one) => one instanceof CSSTransition);
  await Promise.allSettled(fades.map(({ finished }) => finished));
})()`;

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Combinations of language, device and colour scheme. The first two include each of these once. */
const LOOKS = [
  { name: 'desktop-light-en', device: 'desktop', colorScheme: 'light', locale: 'en-US' },
  { name: 'phone-dark-ko', device: 'iphone', colorScheme: 'dark', locale: 'ko-KR' },
  { name: 'desktop-dark-ko', device: 'desktop', colorScheme: 'dark', locale: 'ko-KR' },
  { name: 'phone-light-en', device: 'iphone', colorScheme: 'light', locale: 'en-US' },
] as const;
/** `CONSOLE_LOOKS=4` uses all four. */
const LOOKS_TAKEN = Number(process.env.CONSOLE_LOOKS ?? 2);

let users = 0;

/** The console of one organization, in Chromium. */
export class TestConsole {
  browser!: TestBrowser;
  organization!: TestOrganization;

  /** Client for the Console API with the platform's token. */
  readonly platform: ApiClient;

  constructor(readonly app: TestApp) {
    this.platform = consoleApi(app);
  }

  async start(overrides: OrganizationOverrides): Promise<void> {
    this.browser = await TestBrowser.start(this.app);
    this.organization = await createOrganization(this.app, overrides);
  }

  /** Opens a page of the console as a user of the organization, by default its administrator. */
  async open(path: string, options: OpenOptions = {}): Promise<Looked> {
    const { device = 'desktop', as = this.organization, ...look } = options;
    const looked = await this.browser.look(device, { locale: 'en-US', colorScheme: 'light', ...look });
    await signIn(this.app, looked, as);
    await looked.page.goto(`${CONSOLE}${path}`);
    await settled(looked.page);
    return looked;
  }

  /** Creates another user of the organization. */
  async user(role: Role): Promise<Credentials> {
    const user = { username: `${role.toLowerCase()}-${++users}`, password: 'a password of the tests' };
    await this.platform.post(`${this.organization.consolePath}/users`, { ...user, role }).expect(201);
    return user;
  }

  /**
   * Checks pages in two languages, on two devices, in light and dark: no serious findings of axe, no horizontal
   * scrolling, no console errors.
   * @param pages by path, the selector of what must be visible before the check
   */
  async inspect(pages: Readonly<Record<string, string>>): Promise<void> {
    for (const { name: look, ...options } of LOOKS.slice(0, LOOKS_TAKEN)) {
      const { page, complaints, context } = await this.open(Object.keys(pages)[0] ?? '/', options);
      for (const [path, ready] of Object.entries(pages)) {
        await goTo(page, path);
        await page.locator(ready).first().waitFor();
        await settled(page);
        await screenshot(page, `console${path.replaceAll(/\W+/g, '-')}-${look}`);
        const axe = await seriousFindings(page);
        const wide = !(await fits(page));
        expect({ path, look, axe, wide, complaints }).toEqual({
          path,
          look,
          axe: [],
          wide: false,
          complaints: [],
        });
      }
      await context.close();
    }
  }
}

export interface OpenOptions extends LookOptions {
  device?: Device;
  as?: Credentials;
}

interface Credentials {
  username: string;
  password: string;
}

/** The console of one organization, for a suite. */
export function useTestConsole(
  overrides: OrganizationOverrides = {},
  options?: Parameters<typeof useTestApp>[0],
): TestConsole {
  const console = new TestConsole(useTestApp(options));
  beforeAll(() => console.start(overrides));
  afterEach(() => console.browser.leave());
  afterAll(() => console.browser.close());
  return console;
}

/** Signs in without the sign-in page, which has its own tests. */
async function signIn(app: TestApp, { context }: Looked, user: Credentials): Promise<void> {
  const { headers } = await request(app.url)
    .post('/api/v1/console/sessions')
    .set({ Host: API_HOST, Origin: `http://${API_HOST}` })
    .send({ username: user.username, password: user.password })
    .expect(201);
  const [cookie = ''] = headers['set-cookie'] ?? [];
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  await context.addCookies([{ name, value, url: `http://${API_HOST}`, httpOnly: true }]);
}

/** Navigates inside the console, as a link does, without loading it again. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`${CONSOLE}${path}`)})`);
  await settled(page);
}

/** Waits until nothing is loading. */
export async function settled(page: Page): Promise<void> {
  const loading = page.locator('.mantine-Skeleton-root, .mantine-Loader-root');
  await eventually(async () => {
    await quiet(page);
    expect(await loading.count()).toBe(0);
  });
}

/** Waits for a notification. */
export function toast(page: Page, text: string | RegExp): Promise<void> {
  return page.getByRole('status').getByText(text).first().waitFor();
}

/** Chooses an item of the menu of what the page shows. */
export async function chooseAction(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Serious and critical findings of axe, including small targets, with their elements. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  await page.evaluate(FADED_IN);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ': ' + html.slice(0, 200) + ' ' + (any[0]?.message ?? ''))))`);
}

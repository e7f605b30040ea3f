import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { blocks, section } from '../../../test/docs/blocks';
import { PLAY_STORE, registerApp } from '../../../test/support/apps';
import { eventually } from '../../../test/support/eventually';
import { createOrganization } from '../../../test/support/factories';
import { codeOf, createLink, SHORT_ORIGIN } from '../../../test/support/links';
import { temporaryFolder } from '../../../test/support/servers';
import { useTestApp } from '../../../test/support/test-app';
import { visit } from '../../../test/support/visits';
import { Gateway } from './support/gateway';

const FOLDER = resolve(__dirname, 'platforms');
const README = readFileSync(resolve(__dirname, '../README.md'), 'utf8');
const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
/** Projects of platforms/jest.config.js, with the platform that each plays. */
const PROJECTS = [
  { name: 'react-native', os: 'ios', system: 'iOS', heading: '## React Native' },
  { name: 'react-native-android', os: 'android', system: 'Android', heading: '## React Native' },
  { name: 'expo', os: 'ios', system: 'iOS', heading: '## Expo' },
  { name: 'expo-android', os: 'android', system: 'Android', heading: '## Expo' },
  { name: 'capacitor', os: 'ios', system: 'iOS', heading: '## Capacitor' },
] as const;
const run = promisify(execFile);

/** Installs the platforms unless they are. */
async function installPlatforms(): Promise<void> {
  if (existsSync(join(FOLDER, 'node_modules/.package-lock.json'))) return;
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: FOLDER,
  });
}

describe('the adapters of @waypost/app', () => {
  const app = useTestApp();
  let gateway: Gateway;

  beforeAll(async () => {
    await installPlatforms();
    gateway = await Gateway.start(app);
  }, 600_000);
  afterAll(() => gateway.close());

  it('compile against the types of their platforms', async () => {
    const program = resolve(__dirname, '../../../node_modules/typescript/bin/tsc');
    await run(process.execPath, [program, '--project', FOLDER]);
  }, 300_000);

  describe('against the service, in the Jest preset of', () => {
    const expectations = new Map<string, () => Promise<void>>();

    beforeAll(async () => {
      const settings: Record<string, object> = {};
      for (const project of PROJECTS) settings[project.name] = await arrange(project);
      const env = { ...process.env, WAYPOST_TEST: JSON.stringify(settings), NODE_OPTIONS: '' };
      const program = join(FOLDER, 'node_modules/jest/bin/jest.js');
      await run(process.execPath, [program, '--ci', '--maxWorkers=2', '--testTimeout=120000'], {
        cwd: FOLDER,
        env,
      });
    }, 600_000);

    /** Registers apps and links for a project. @returns what its tests must know */
    const arrange = async ({ name, os, system, heading }: (typeof PROJECTS)[number]) => {
      const own = await createOrganization(app);
      const ios = await registerApp(own);
      const android = await registerApp(own, { platform: 'Android', storeUrl: PLAY_STORE });
      const registered = os === 'ios' ? ios : android;
      const tied = () => createLink(own, { iosAppId: ios.id, androidAppId: android.id });
      const [first, second, installed] = [await tied(), await tied(), await tied()];
      const paths = { iosDeepLinkPath: '/readme', androidDeepLinkPath: '/readme' };
      const shown = await createLink(own, { iosAppId: ios.id, androidAppId: android.id, ...paths });
      const quickStart = join(temporaryFolder('quick-start'), 'waypost.js');
      const [code] = blocks(section(README, heading)).filter(({ language }) => language === 'ts');
      writeFileSync(
        quickStart,
        (code?.text ?? '')
          .replace('42', String(registered.id))
          .replace('wp_pub_…', registered.publishableKey)
          .replace('https://api.example.com', gateway.url),
      );
      const { text } = await visit(app, `/${codeOf(installed)}`, { userAgent: CHROME }).expect(200);
      const store = /id="store" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const addressOf = (link: { shortUrl: string }) =>
        `${SHORT_ORIGIN.replace('http:', 'https:')}/${ios.path}/${codeOf(link)}`;

      const figuresOf = async ({ id }: { id: number }) => {
        const { body } = await own.api.get(`/api/v1/service/urls/${id}/app-install-stats`).expect(200);
        return [body.totalClicks, body.totalInstalls, body.reengagementStats.totalReengagements] as number[];
      };
      expectations.set(name, async () => {
        await eventually(async () => {
          expect(await figuresOf(first)).toEqual([1, 1, 0]);
          expect(await figuresOf(second)).toEqual([1, 0, 1]);
          expect(await figuresOf(shown)).toEqual([1, 1, 0]);
          expect(await figuresOf(installed)).toEqual([1, os === 'android' ? 1 : 0, 0]);
        });
        const sessions = await app.sql<{ device: { os: string; appVersion: string }; events: number }>(
          'SELECT device_info AS device, events FROM funnel_sessions WHERE app_id = $1 AND tracked_link_id = ANY ($2)',
          [registered.id, [first.id, second.id]],
        );
        expect(sessions).toMatchObject(
          [1, 2].map(() => ({ device: { os: system, appVersion: '4.2.0' }, events: 1 })),
        );
      });
      return {
        url: gateway.url,
        quickStart,
        apps: { [os]: { id: registered.id, publishableKey: registered.publishableKey } },
        addresses: {
          [os]: {
            first: addressOf(first),
            second: addressOf(second),
            readme: addressOf(shown),
            referrer: new URL(store).searchParams.get('referrer'),
          },
        },
      };
    };

    it.each(PROJECTS)('$name, count as they should', async ({ name }) => {
      await expectations.get(name)?.();
      expect.hasAssertions();
    });
  });
});

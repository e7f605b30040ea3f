import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DeepLinkTokensService } from '../../../src/modules/attribution/tokens/deep-link-tokens.service';
import { blocks, section } from '../../../test/docs/blocks';
import { PLAY_STORE, type RegisteredApp, registerApp } from '../../../test/support/apps';
import { createCampaign } from '../../../test/support/campaigns';
import { eventually } from '../../../test/support/eventually';
import { createOrganization, type TestOrganization } from '../../../test/support/factories';
import { LeftOut } from '../../../test/support/left-out';
import { createLink } from '../../../test/support/links';
import { temporaryFolder } from '../../../test/support/servers';
import { API_HOST, SHORT_HOST, useTestApp } from '../../../test/support/test-app';
import { GALAXY, visit } from '../../../test/support/visits';

const GUIDE = resolve(__dirname, '../../../docs/native-apps.md');
const FOLDER = resolve(__dirname, 'kotlin');
const COMPILER = join(FOLDER, 'node_modules/kotlin-compiler');
const LIBRARIES = ['kotlin-stdlib', 'kotlinx-coroutines-core-jvm'].map((name) =>
  join(COMPILER, `lib/${name}.jar`),
);
const run = promisify(execFile);
/** Where phone and visitor are, as the service sees it. */
const IP = '127.0.0.1';

describe('the Kotlin of the guide for native apps', () => {
  const app = useTestApp();
  let own: TestOrganization;
  let android: RegisteredApp;
  let classes: string;
  let hosts: string;

  beforeAll(async () => {
    if (spawnSync('java', ['-version']).status !== 0)
      throw new LeftOut('Java (apt-get install default-jdk-headless)');
    if (!existsSync(COMPILER)) await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER });
    app.clock.set('2026-11-20T08:32:00Z');
    own = await createOrganization(app);
    android = await registerApp(own, { platform: 'Android', storeUrl: PLAY_STORE });

    const folder = temporaryFolder('kotlin');
    hosts = join(folder, 'hosts');
    writeFileSync(hosts, `127.0.0.1 ${API_HOST}\n`);
    const [guide] = blocks(section(readFileSync(GUIDE, 'utf8'), '## Kotlin'));
    const code = (guide?.text ?? '')
      .replace('https://api.example.com', `http://${API_HOST}:${new URL(app.url).port}`)
      .replace('"42"', `"${android.id}"`)
      .replace('wp_pub_…', android.publishableKey);
    const source = join(folder, 'DeepLinks.kt');
    writeFileSync(source, code);
    classes = join(folder, 'classes');
    const stubs = readdirSync(join(FOLDER, 'android')).map((name) => join(FOLDER, 'android', name));
    const sources = [source, join(FOLDER, 'Main.kt'), ...stubs];
    const options = ['-Werror', '-no-reflect', '-classpath', LIBRARIES.join(delimiter), '-d', classes];
    await run('bash', [join(COMPILER, 'bin/kotlinc'), ...options, ...sources]);
  });

  /** Starts the app once with each address. @returns where it has navigated to */
  const start = async (referrer: string, ...addresses: string[]) => {
    const classpath = [classes, ...LIBRARIES].join(delimiter);
    const options = [`-Djdk.net.hosts.file=${hosts}`, '-classpath', classpath, 'MainKt'];
    const { stdout } = await run('java', [...options, referrer, ...addresses]);
    return stdout.trim().split('\n');
  };
  const linkTo = (androidDeepLinkPath: string) =>
    createLink(own, { androidAppId: android.id, androidDeepLinkPath });
  /** Opens a link in the phone's browser. @returns what the store hands to the app, and the address that opens it */
  const click = async (link: { shortUrl: string }) => {
    const path = new URL(link.shortUrl).pathname;
    const { text } = await visit(app, path, { ip: IP, userAgent: GALAXY }).expect(200);
    const hrefOf = (id: string) =>
      new RegExp(`id="${id}" href="([^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const referrer = new URL(hrefOf('store')).searchParams.get('referrer') ?? '';
    // An app gets the address of an intent: without what follows #.
    const [scheme = ''] = hrefOf('open')
      .replace(/^intent:/, 'exampleshop:')
      .split('#');
    return { referrer, scheme };
  };
  /** Waits until they are counted: clicks, installations, openings. */
  const counted = (path: string, ...expected: number[]) =>
    eventually(async () => {
      const range = '?startDate=2026-11-20&endDate=2026-11-20';
      const { body: link } = await own.api.get(path).expect(200);
      const { body } = await own.api.get(`${path}/app-install-stats${range}`).expect(200);
      const openings = body.reengagementStats.totalReengagements;
      expect([link.clickCount, body.totalInstalls, openings]).toEqual(expected);
    });

  it('counts a first start after Play as an installation, and what opens the app then as openings', async () => {
    const links = [await linkTo('/p/1'), await linkTo('/p/2'), await linkTo('/p/3')] as const;
    const [installed, tapped, opened] = links.map(({ id }) => `/api/v1/service/urls/${id}`) as [
      string,
      string,
      string,
    ];
    const { referrer } = await click(links[0]);
    const appLink = links[1].shortUrl.replace('http:', 'https:');
    const { scheme } = await click(links[2]);
    expect(await start(referrer, '', appLink, scheme, '')).toEqual([
      expect.stringMatching(/^exampleshop:\/\/p\/1/),
      expect.stringMatching(/^exampleshop:\/\/p\/2/),
      expect.stringMatching(/^exampleshop:\/\/p\/3/),
    ]);
    await counted(installed, 1, 1, 0);
    await counted(tapped, 1, 0, 1);
    await counted(opened, 1, 0, 1);
  });

  it('counts the App Link of a campaign', async () => {
    const campaign = await createCampaign(own, { androidAppId: android.id, androidDeepLinkPath: '/sale' });
    const address = `https://${SHORT_HOST}/${android.path}/c/${campaign.alias}`;
    expect(await start('', address)).toEqual([expect.stringMatching(/^exampleshop:\/\/sale/)]);
    await counted(`/api/v1/service/campaigns/${campaign.id}`, 1, 1, 0);
  });

  it('finds the click of a first start that no store tells of', async () => {
    const link = await linkTo('/p/4');
    const { referrer } = await click(link);
    const token = new URLSearchParams(referrer).get('waypost_token') ?? '';
    const page = { userAgent: GALAXY, resolution: '360x780', osVersion: '15.0.0', deviceModel: 'SM-S931B' };
    await app.get(DeepLinkTokensService).updateFingerprint(token, page);
    expect(await start('', '')).toEqual([expect.stringMatching(/^exampleshop:\/\/p\/4/)]);
    await counted(`/api/v1/service/urls/${link.id}`, 1, 1, 0);
  });
});

import { PERMISSIONS } from '../../src/access/caller';
import type { Role } from '../../src/access/roles';
import { registerApp } from '../support/apps';
import { createCampaign } from '../support/campaigns';
import { goTo, useTestConsole } from '../support/console';
import { saveContact } from '../support/contacts';
import { eventually } from '../support/eventually';
import { consoleApi } from '../support/factories';
import { createDomain, createLink } from '../support/links';
import { GOLD } from '../support/segments';

/** Pages that a role may not open; each says so in words. */
const REFUSED = {
  VIEWER: ['/contacts', '/contacts/$contact', '/opt-outs', '/webhooks', '/webhooks/$webhook'],
  EDITOR: ['/webhooks', '/webhooks/$webhook'],
  ADMIN: [],
} as const;

const OF_EDITORS = [
  'Overview',
  'Links',
  'Campaigns',
  'Journeys',
  'Contacts',
  'Segments',
  'Opt-outs',
  'Apps',
  'Domains',
  'Link tester',
  'Settings',
];
const MENU = {
  VIEWER: OF_EDITORS.filter((name) => !['Contacts', 'Opt-outs'].includes(name)),
  EDITOR: OF_EDITORS,
};

const PATHS = [
  '/',
  '/links',
  '/links/$link',
  '/links/$link?tab=recentClicks',
  '/links/$link?tab=settings',
  '/links/$link?tab=qr',
  '/campaigns',
  '/campaigns/$campaign',
  '/campaigns/$campaign?tab=settings',
  '/journeys',
  '/journeys?tab=revenue',
  '/journeys?tab=activity',
  '/journeys?tab=sessions',
  '/contacts',
  '/contacts/$contact',
  '/segments',
  '/segments/$segment',
  '/opt-outs',
  '/apps',
  '/apps/$app',
  '/apps/$app?tab=files',
  '/apps/$app?tab=installs',
  '/domains',
  '/domains/$domain',
  '/tester',
  '/webhooks',
  '/webhooks/$webhook',
  ...['account', 'organization', 'qrCodes', 'users', 'keys', 'allowList', 'audit'].map(
    (tab) => `/settings?tab=${tab}`,
  ),
];

/** Buttons that only read, or change what the user alone owns. */
const READS = [
  /^(?:Sort by|Add filter|Filter by|Filter|Filters|Clear filters|Columns|More|Show less|Compare|Search|Test|Try again)\b/,
  /^(?:Copy|Copied|Download|Export|Save as|PNG|SVG)\b/,
  /^Actions (?:of|for)\b/,
  /^(?:Last|Today|Yesterday|This|Custom|Range|Period|Live|Pause|Resume)\b/,
  /^(?:Interval|Comparison): /,
  /^Write to the log$/,
  /^(?:Account|Menu|Close|Sign out|End session|End)\b/,
];
/** The user's own account, which is what a VIEWER has of every tab but that of the organization. */
const OWN = [/^Save$/, /^Show what is typed$/];

const ADMINS = /^(?:Add|Edit|Delete|Save$|Check|Fill in|Regenerate|Revoke|Invite|Actions$)/;
/** Pages whose changes are an ADMIN's. */
const OF_ADMINS = ['/apps', '/apps/$app', '/domains', '/domains/$domain', '/settings?tab=organization'];
const MAY_PRESS = {
  VIEWER: (name: string, path: string) => {
    const isOwn = path.startsWith('/settings') && !path.endsWith('=organization');
    return [...READS, ...(isOwn ? OWN : [])].some((each) => each.test(name));
  },
  EDITOR: (name: string, path: string) => !OF_ADMINS.includes(path) || !ADMINS.test(name),
};

/** What the API and the console say to those who lack a role or a permission. */
const REFUSAL = /(?:role|permission) \S+ is required|lacks? the (?:role|permission)|permission for none/i;
const LACKING = [
  ['any permission', PATHS, ['/segments']],
  ['revenue.view', ['/journeys?tab=revenue', '/campaigns/$campaign'], []],
  ['conversion.view', ['/journeys'], []],
  ['mau.view', ['/journeys?tab=activity'], []],
  ['event_log.view', ['/journeys?tab=activity'], []],
] as const;

describe('roles in the console', () => {
  const console = useTestConsole({ defaultRegion: 'KR', allowList: ['127.0.0.0/8'] });
  const ids: Record<string, number> = {};

  beforeAll(async () => {
    const { organization, app } = console;
    const below = `/api/v1/console/organizations/${organization.organizationId}`;
    const made = async (path: string, body: object) =>
      (await consoleApi(app).post(`${below}${path}`, body).expect(201)).body as { id: number };
    ids.link = (await createLink(organization, { title: 'Spring', tags: ['spring'] })).id;
    ids.campaign = (await createCampaign(organization)).id;
    ids.contact = (await saveContact(organization, { externalUserId: 'm-1', name: 'Kim' })).id;
    ids.app = (await registerApp(organization)).id;
    ids.domain = await createDomain(app, organization, 'links.roles.test', 'ACTIVE');
    ids.segment = (await made('/segments', { name: 'Gold', conditionGroups: GOLD })).id;
    ids.webhook = (
      await made('/webhooks', { url: 'https://hooks.example.com/', events: ['*'], enabled: false })
    ).id;
  });

  const addressOf = (path: string) => path.replace(/\$(\w+)/, (_, name: string) => String(ids[name] ?? 0));
  /** A user with every permission, whose role alone decides. */
  const user = async (role: Role, permissions: readonly string[] = PERMISSIONS) => {
    const one = await console.user(role);
    await console.app.sql('UPDATE users SET permissions = $2 WHERE username = $1', [
      one.username,
      permissions,
    ]);
    return one;
  };
  const opened = async (role: Role, as?: Awaited<ReturnType<typeof user>>) => {
    const looked = await console.open('/', { as: as ?? (await user(role)) });
    const refused: string[] = [];
    looked.page.on('response', (response) => {
      if (response.status() === 403) refused.push(new URL(response.url()).pathname);
    });
    return { ...looked, refused };
  };

  it.each(['VIEWER', 'EDITOR'] as const)(
    'show %s a menu of the pages that they may open, no address that is refused without words, and only buttons that may be pressed',
    async (role) => {
      const { page, refused } = await opened(role);
      const menu = page.getByRole('navigation').getByRole('link');
      expect(await menu.allInnerTexts()).toEqual(MENU[role]);
      const others: string[] = [];
      for (const path of PATHS) {
        refused.length = 0;
        await goTo(page, addressOf(path));
        if ((REFUSED[role] as readonly string[]).includes(path)) {
          const words = page
            .locator('main')
            .getByRole('alert')
            .filter({ hasText: /role|permission|ADMIN|EDITOR/i });
          await eventually(async () => expect([path, await words.count()]).toEqual([path, 1]));
          const shown = await page.evaluate<string[]>(BUTTONS);
          others.push(...shown.filter((name) => ADMINS.test(name)).map((name) => `${path} ${name}`));
          continue;
        }
        expect([path, refused]).toEqual([path, []]);
        const names = await page.evaluate<string[]>(BUTTONS);
        others.push(...names.filter((name) => !MAY_PRESS[role](name, path)).map((name) => `${path} ${name}`));
      }
      expect(others).toEqual([]);
    },
  );

  it.each(LACKING)('show no part that an ADMIN without %s may not see', async (lacking, paths, words) => {
    const permissions = PERMISSIONS.filter((one) => lacking !== 'any permission' && lacking !== one);
    const { page, refused } = await opened('ADMIN', await user('ADMIN', permissions));
    for (const path of paths) {
      refused.length = 0;
      await goTo(page, addressOf(path));
      const says = await page.locator('main').getByText(REFUSAL).count();
      // A page as a whole says in words why it is not shown.
      if (words.some((one: string) => path.startsWith(one))) expect([path, says]).toEqual([path, 1]);
      else expect([path, refused, says]).toEqual([path, [], 0]);
    }
  });

  it('say in words what a user without permissions may not see, and leave it out of the menu', async () => {
    const { page } = await console.open(`/segments`, { as: await console.user('VIEWER') });
    await page.locator('main').getByRole('alert').filter({ hasText: 'segments.view' }).waitFor();
    const menu = page.getByRole('navigation').getByRole('link');
    expect(await menu.allInnerTexts()).toEqual(MENU.VIEWER.filter((name) => name !== 'Segments'));
  });
});

/** Names of the enabled buttons of the page that one sees, without those of tabs. */
const BUTTONS = `[...document.querySelectorAll('main button:not([role=tab], [aria-hidden=true]), main input[type=submit]')]
  .filter((button) => !button.disabled && button.checkVisibility())
  .map((button) => (button.getAttribute('aria-label') ?? button.textContent).trim())`;

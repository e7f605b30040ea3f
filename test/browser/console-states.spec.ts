import type { Page } from 'playwright-core';
import { createCampaign } from '../support/campaigns';
import { CONSOLE, goTo, seriousFindings, settled, useTestConsole } from '../support/console';
import { eventually } from '../support/eventually';
import { consoleApi } from '../support/factories';
import { createDomain, createLink } from '../support/links';

const DAY_MS = 86_400_000;
const at = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

describe('states in the console', () => {
  const console = useTestConsole();
  const endpoints: Record<string, number> = {};

  const set = (table: string, id: number, fields: string) =>
    console.app.sql(`UPDATE ${table} SET ${fields} WHERE id = $1`, [id]);
  const post = async (path: string, body: object): Promise<number> => {
    const { organization, app } = console;
    const url = `/api/v1/console/organizations/${organization.organizationId}${path}`;
    return ((await consoleApi(app).post(url, body).expect(201)).body as { id: number }).id;
  };

  beforeAll(async () => {
    const { organization, app } = console;
    for (const [title, fields] of [
      ['active', 'enabled = true'],
      ['scheduled', `starts_at = now() + interval '1 hour'`],
      ['archived', 'archived = true'],
      ['off', 'enabled = false'],
      ['expired', `expires_at = now() - interval '1 hour'`],
      ['usedUp', 'max_clicks = 1, used_clicks = 1'],
      ['blocked', `disabled_reason = 'Phishing'`],
    ] as const) {
      await set('links', (await createLink(organization, { title })).id, fields);
      // Campaigns have no maximum of clicks.
      if (title === 'usedUp') continue;
      await set('campaigns', (await createCampaign(organization, { name: title })).id, fields);
    }
    for (const kind of [1, 2])
      await app.sql(
        `UPDATE link_health SET status = 'unhealthy', problem = 'NOT_FOUND', unhealthy_since = now() WHERE kind = $1`,
        [kind],
      );
    for (const [name, fields] of [
      ['active', 'enabled = true'],
      ['failing', `failing_since = now(), last_error = 'The receiver answered 500'`],
      ['off', `enabled = false, disabled_reason = 'MANUAL', disabled_at = now()`],
      ['gone', `enabled = false, disabled_reason = 'GONE', disabled_at = now()`],
      ['broken', `enabled = false, disabled_reason = 'FAILURES', disabled_at = now()`],
    ] as const) {
      const id = await post('/webhooks', { url: `https://${name}.example.com/`, events: ['*'] });
      await set('webhook_endpoints', id, fields);
      endpoints[name] = id;
    }
    // A lease keeps the test's workers from delivering.
    await app.sql(
      `INSERT INTO webhook_deliveries (id, organization_id, endpoint_id, event_id, event, status, next_at, lease, lease_until)
       VALUES (gen_random_uuid(), $1, $2, gen_random_uuid(), 'link.created', 'PENDING', now() - interval '1 hour',
               gen_random_uuid(), now() + interval '1 hour')`,
      [organization.organizationId, endpoints['active']],
    );
    await post('/api-keys', { name: 'Ends soon', userId: organization.userId, expiresAt: at(3) });
    for (const [status, fields] of [
      ['PENDING', `status = 'PENDING'`],
      ['VERIFIED', `status = 'VERIFIED'`],
      ['ACTIVE', `status = 'ACTIVE'`],
      ['FAILED', 'pending_since = now()'],
      ['REVOKED', 'failing_since = now()'],
      ['ACTIVE', 'failing_since = now()'],
      ['ACTIVE', `disabled_reason = 'Phishing'`],
    ] as const) {
      const name = `d${String(Math.random()).slice(2)}.example.com`;
      await set('custom_domains', await createDomain(app, organization, name, status), fields);
    }
  });

  const readable = async (page: Page, path: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // Colours change gradually.
      await eventually(async () =>
        expect([path, colorScheme, await seriousFindings(page)]).toEqual([path, colorScheme, []]),
      );
    }
  };

  it('are readable in light and dark in lists', async () => {
    const { page } = await console.open('/');
    const badges = page.locator('main .mantine-Badge-root');
    for (const [path, states] of [
      [
        '/links?archived=all',
        ['Active', 'Scheduled', 'Archived', 'Disabled', 'Expired', 'Used up', 'Blocked'],
      ],
      ['/campaigns?archived=all', ['Active', 'Scheduled', 'Archived', 'Disabled', 'Expired', 'Blocked']],
      ['/webhooks', ['Active', 'Failing', 'Disabled']],
      ['/domains', ['Pending', 'Verified', 'Active', 'Failed', 'Revoked', 'Disabled']],
    ] as const) {
      await goTo(page, path);
      await eventually(async () => expect(new Set(await badges.allTextContents())).toEqual(new Set(states)));
      await readable(page, path);
    }
  });

  it('of endpoints are readable on their pages, with what is wrong', async () => {
    const { page } = await console.open('/webhooks');
    for (const [name, words] of [
      ['failing', 'The receiver answered 500'],
      ['gone', '410'],
      ['broken', 'five days'],
    ] as const) {
      await goTo(page, `/webhooks/${endpoints[name]}`);
      await page.locator('main').getByRole('alert').filter({ hasText: words }).waitFor();
      await readable(page, name);
    }
  });

  it('that need attention are on the overview, readable in light and dark', async () => {
    const { page } = await console.open('/');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    for (const name of ['active', 'failing.example.com', 'Ends soon'])
      await attention.getByRole('link', { name, exact: true }).first().waitFor();
    expect(await attention.locator('.mantine-Badge-root').count()).toBe(6);
    await readable(page, '/');
  });

  it('of the first page come with one script, and one for its charts', async () => {
    const { page } = await console.open('/sign-in');
    const scripts = new Map<string, number>();
    page.on('response', async (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.endsWith('.js')) scripts.set(pathname, (await response.body()).length);
    });
    await page.goto(`${CONSOLE}/`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await settled(page);
    const others = [...scripts].filter(([path]) => !path.includes('/chart-'));
    expect(others.map(([path]) => path)).toHaveLength(1);
    expect(others[0]?.[1]).toBeLessThan(800_000);
  });
});

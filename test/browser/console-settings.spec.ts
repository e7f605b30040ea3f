import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { settled, toast, useTestConsole } from '../support/console';
import { eventually } from '../support/eventually';
import { consoleApi } from '../support/factories';

describe('settings in the console', () => {
  const console = useTestConsole();
  const path = (of: string) => `${console.organization.consolePath}${of}`;
  const content = async (of: string): Promise<Record<string, unknown>[]> =>
    (await console.platform.read<{ content: Record<string, unknown>[] }>(path(of))).content;
  const choose = async (page: Page, of: string, item: string) => {
    await page.getByRole('button', { name: `Actions: ${of}` }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };

  it('changes the profile, with the current password where the API asks for it', async () => {
    const as = await console.user('VIEWER');
    const { page } = await console.open('/settings', { as });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Lee Ji-soo');
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved');
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('jisoo@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('textbox', { name: 'Current password' }).fill(as.password);
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(async () =>
      expect(await content('/users')).toContainEqual(
        expect.objectContaining({ username: as.username, name: 'Lee Ji-soo', email: 'jisoo@example.com' }),
      ),
    );
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Your account', 'Organization']);
    await page.getByRole('tab', { name: 'Organization' }).click();
    await page.getByRole('textbox', { name: 'Name shown to visitors' }).waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  });

  it('changes the branding; what the API refuses stands at its field', async () => {
    const { page } = await console.open('/settings?tab=organization');
    await page.getByRole('textbox', { name: 'Address of the logo' }).fill('http://cdn.example.com/logo.png');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.mantine-InputWrapper-error').first().waitFor();
    await page.getByRole('textbox', { name: 'Address of the logo' }).fill('https://cdn.example.com/logo.png');
    await page.getByRole('textbox', { name: 'Button colour' }).fill('#1f5fbf');
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved');
    const { body } = await console.platform.get(path('')).expect(200);
    expect(body).toMatchObject({ logoUrl: 'https://cdn.example.com/logo.png', brandColor: '#1f5fbf' });
  });

  it('names the add-ons in words', async () => {
    const { page } = await console.open('/settings?tab=organization', { locale: 'ko-KR' });
    for (const name of ['메시징', '매출 분석', '사용자 여정', '동적 세그먼트'])
      await page.getByText(name, { exact: true }).waitFor();
  });

  it('adds, changes and deletes users', async () => {
    const { page } = await console.open('/settings?tab=users');
    await page.getByRole('button', { name: 'Add user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'User name' }).fill('kim.minji');
    await dialog.getByRole('textbox', { name: 'Password' }).fill('short');
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await dialog.locator('.mantine-InputWrapper-error').first().waitFor();
    await dialog.getByRole('textbox', { name: 'Password' }).fill('long enough for a test');
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await toast(page, 'User added');
    await choose(page, 'kim.minji', 'Edit');
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Editor' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved');
    expect(await content('/users')).toContainEqual(
      expect.objectContaining({ username: 'kim.minji', role: 'EDITOR' }),
    );
    await choose(page, 'kim.minji', 'End their sessions');
    await toast(page, 'Their sessions have ended');
    await choose(page, 'kim.minji', 'Delete');
    await dialog.getByRole('textbox').fill('kim.minji');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await toast(page, 'User deleted');
    expect((await content('/users')).some(({ username }) => username === 'kim.minji')).toBe(false);
  });

  it('shows tab after tab, of which several ask for the users, with a name for every column', async () => {
    const { page, complaints } = await console.open('/settings');
    const table = async (tab: string) => {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel', { name: tab }).getByRole('columnheader').first().waitFor();
      expect(await page.getByRole('columnheader').allTextContents()).not.toContain('');
    };
    await table('Your account');
    await table('Users');
    await table('API keys');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('dialog').getByRole('combobox').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Audit log' }).click();
    await page.getByRole('table').waitFor();
    await table('Users');
    expect(complaints).toEqual([]);
  });

  it('takes a logo of any image, and keeps presets of QR codes', async () => {
    const settings = async () => (await console.platform.get(path('/qr-settings')).expect(200)).body;
    const { page } = await console.open('/settings?tab=qrCodes');
    const file = page.locator('input[type=file]');
    await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('text') });
    await toast(page, 'no image that the browser can read');
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="1500"><circle cx="1500" cy="750" r="700"/></svg>';
    await file.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) });
    await toast(page, 'Logo saved');
    await page.getByRole('img', { name: 'Logo' }).waitFor();
    const { width, height } = PNG.sync.read(Buffer.from(String((await settings()).logo), 'base64'));
    expect([width, height]).toEqual([512, 256]);
    await page.getByRole('button', { name: 'Add preset' }).first().click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('must not be empty').waitFor();
    await name.fill('Posters');
    await dialog.getByRole('combobox', { name: 'Shape' }).click();
    await page.getByRole('option', { name: 'Rounded' }).click();
    await dialog.getByLabel('Dark colour').fill('#003366');
    await dialog.getByRole('switch', { name: 'Logo in the middle' }).check();
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Preset saved');
    await choose(page, 'Posters', 'Edit');
    await name.fill('Flyers');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Flyers Default' }).waitFor();
    const flyers = { name: 'Flyers', shape: 'rounded', darkColor: '#003366', logo: true, isDefault: true };
    expect((await settings()).presets).toMatchObject([flyers]);
    await choose(page, 'Flyers', 'Delete');
    await toast(page, 'Preset deleted');
    expect((await settings()).presets).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('cell', { name: 'Flyers Default' }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await toast(page, 'Logo removed');
    expect((await settings()).logo).toBeNull();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByRole('img', { name: 'Logo' }).waitFor();
  });

  it('invites a person, who joins by the link', async () => {
    const { page } = await console.open('/settings?tab=users');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'E-mail address' }).fill('park@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
    const url = await page.getByRole('dialog').locator('code').innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Open invitations').waitFor();
    const guest = await console.browser.look('desktop', { locale: 'en-US' });
    await guest.page.goto(url);
    await guest.page.getByText('It is for park@example.com.').waitFor();
    await guest.page.getByRole('textbox', { name: 'User name' }).fill('park');
    await guest.page.getByRole('textbox', { name: 'Password' }).fill('long enough for a test');
    await guest.page.getByRole('button', { name: 'Join' }).click();
    await guest.page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await content('/users')).toContainEqual(
      expect.objectContaining({ username: 'park', email: 'park@example.com', role: 'VIEWER' }),
    );
  });

  it('creates, replaces and deletes keys', async () => {
    const { page } = await console.open('/settings?tab=keys');
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Purpose' }).fill('Shop server');
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await dialog.getByText(/must have 1 to \d+ items/).waitFor();
    const every = dialog.getByRole('switch', { name: 'Everything that its user may do' });
    expect(await every.isChecked()).toBe(false);
    const some = dialog.getByRole('combobox', { name: 'Only these' });
    await some.click();
    await page.getByRole('option', { name: 'links:read' }).click();
    await page.keyboard.press('Escape');
    await every.check();
    expect(await some.isDisabled()).toBe(true);
    await every.uncheck();
    await some.click();
    await page.getByRole('option', { name: 'analytics:read' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    const key = await dialog.locator('code').innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await content('/api-keys')).toContainEqual(
      expect.objectContaining({
        name: 'Shop server',
        prefix: key.slice(0, 12),
        scopes: ['analytics:read'],
        expiresAt: null,
      }),
    );
    await choose(page, 'Shop server', 'Replace');
    await dialog.getByRole('button', { name: 'Replace' }).click();
    expect(await dialog.locator('code').innerText()).not.toBe(key);
    await page.keyboard.press('Escape');
    await page.getByText('The key before works until').waitFor();
    await choose(page, 'Shop server', 'Delete');
    await dialog.getByRole('textbox').fill('Shop server');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await toast(page, 'API key deleted');
    expect((await content('/api-keys')).some(({ name }) => name === 'Shop server')).toBe(false);
  });

  it('offers every user, also beyond a page of them, as the owner of a key', async () => {
    await console.app.sql(
      `INSERT INTO users (organization_id, username, permissions, created_at, updated_at)
       SELECT $1, 'clerk-' || n, '{}', now(), now() FROM generate_series(1, 101) AS n`,
      [console.organization.organizationId],
    );
    const { page } = await console.open('/settings?tab=keys');
    let arrive = (): void => undefined;
    const typed = new Promise<void>((resolve) => (arrive = resolve));
    await page.route('**/users?*', (route) => typed.then(() => route.continue()));
    await page.getByRole('button', { name: 'Create API key' }).click();
    const owner = page.getByRole('dialog').getByRole('combobox', { name: 'Acts for' });
    await owner.fill('clerk-1');
    arrive();
    await page.getByRole('option', { name: 'clerk-1', exact: true }).waitFor();
    expect(await owner.inputValue()).toBe('clerk-1');
    await owner.fill('clerk-101');
    await page.getByRole('option', { name: 'clerk-101', exact: true }).waitFor();
    await console.app.sql(`DELETE FROM users WHERE username LIKE 'clerk-%'`);
  });

  it('tells of what others have changed in a user or a key meanwhile', async () => {
    const { app } = console;
    const { username } = await console.user('VIEWER');
    const id = (await content('/users')).find((user) => user.username === username)?.id as number;
    const { body: key } = await consoleApi(app)
      .post(path('/api-keys'), { name: 'Shared key', userId: id, scopes: ['links:read'] })
      .expect(201);
    for (const [tab, of, field, change] of [
      ['users', username, 'Name', () => consoleApi(app).patch(path(`/users/${id}`), { role: 'EDITOR' })],
      [
        'keys',
        'Shared key',
        'Purpose',
        () => consoleApi(app).patch(path(`/api-keys/${key.id}`), { scopes: ['links:write'] }),
      ],
    ] as const) {
      const { page } = await console.open(`/settings?tab=${tab}`);
      await choose(page, of, 'Edit');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: field, exact: true }).fill('Mine');
      await change().expect(200);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Somebody else has saved this meanwhile').waitFor();
      await dialog.getByRole('button', { name: 'Take the stored values' }).click();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await toast(page, 'Saved');
    }
    expect(await content('/users')).toContainEqual(
      expect.objectContaining({ id, name: 'Mine', role: 'EDITOR' }),
    );
    expect(await content('/api-keys')).toContainEqual(
      expect.objectContaining({ id: key.id, name: 'Mine', scopes: ['links:write'] }),
    );
  });

  it('keeps what was typed when what is stored is loaded again, and asks before it discards it', async () => {
    const { page } = await console.open('/settings?tab=organization');
    const shown = page.getByRole('textbox', { name: 'Name shown to visitors' });
    await shown.fill('Typed');
    await console.platform.patch(path(''), { name: 'Renamed elsewhere' }).expect(200);
    const loaded = page.waitForResponse((response) => response.url().replace(/\/$/, '').endsWith(path('')));
    await page.evaluate(
      `{ const soon = Date.now() + 60_000; Date.now = () => soon; window.dispatchEvent(new Event('visibilitychange')); }`,
    );
    await loaded;
    await settled(page);
    expect(await shown.inputValue()).toBe('Typed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Stored: Renamed elsewhere').waitFor();
    await page.getByRole('button', { name: 'Take the stored values' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved');
    await page.goto(page.url().replace('organization', 'allowList'));
    await page.getByRole('button', { name: 'Add address' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add address' });
    await dialog.getByRole('textbox', { name: 'Address or range' }).fill('203.0.113.7');
    for (const leave of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
      await leave();
      await page
        .getByRole('button', { name: 'Keep' })
        .or(page.getByRole('button', { name: 'Cancel' }))
        .click();
      expect(await dialog.getByRole('textbox', { name: 'Address or range' }).inputValue()).toBe(
        '203.0.113.7',
      );
    }
  });

  it('keeps the allow-list, with undo, and shows who did all that', async () => {
    const { page } = await console.open('/settings?tab=allowList');
    await page.getByRole('button', { name: 'Add address' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Address or range' }).fill('203.0.113.999');
    await dialog.getByRole('button', { name: 'Add address' }).click();
    await dialog.locator('.mantine-InputWrapper-error').first().waitFor();
    await dialog.getByRole('textbox', { name: 'Address or range' }).fill('203.0.113.0/24');
    await dialog.getByRole('button', { name: 'Add address' }).click();
    await toast(page, 'Address added');
    await page.getByRole('button', { name: 'Remove' }).click();
    await toast(page, 'Address removed');
    expect(await content('/ip-allow-list')).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () =>
      expect(await content('/ip-allow-list')).toEqual([expect.objectContaining({ cidr: '203.0.113.0/24' })]),
    );
    await page.getByText('203.0.113.0/24').first().waitFor();
    await page.getByRole('tab', { name: 'Audit log' }).click();
    await page
      .getByRole('row', { name: new RegExp(console.organization.username) })
      .first()
      .waitFor();
  });

  it('filters the audit log by who changed what, and when', async () => {
    const { organization, app } = console;
    const { username, password } = organization;
    const login = await consoleApi(app).post('/api/v1/console/login', { username, password }).expect(200);
    const { token } = login.body as { token: string };
    await consoleApi(app, token).patch(path(''), { brandName: 'Filtered' }).expect(200);
    const read = (query: string) =>
      console.platform.read<{
        totalElements: number;
      }>(path(`/audit-log?${query}`));
    const { page, complaints } = await console.open('/settings?tab=audit');
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    const menu = page.getByRole('dialog', { name: 'Filters' });
    await menu.getByRole('combobox', { name: 'Who' }).click();
    await menu.getByRole('option', { name: 'The platform' }).click();
    const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
    const { totalElements } = await read('actorType=PLATFORM');
    expect(totalElements).toBeGreaterThan(0);
    await eventually(async () => expect(await rows.count()).toBe(totalElements));
    await menu.getByLabel('From').fill('2099-01-01');
    await page.getByText('No entries').waitFor();
    await page.keyboard.press('Escape');
    expect(new URL(page.url()).search).toBe('?tab=audit&actor=PLATFORM&from=2099-01-01');
    await page.getByText('Who: The platform').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rows.getByRole('button', { name: organization.username, exact: true }).first().click();
    await page.waitForURL(new RegExp(`actor=USER%3A${organization.userId}`));
    const own = await read(`actorType=USER&actorId=${organization.userId}`);
    // The table holds only the rows in view.
    await page.getByText(`${own.totalElements} rows`, { exact: true }).waitFor();
    await page.reload();
    await page.getByText(`Who: ${organization.username}`).waitFor();
    await page.getByText(`${own.totalElements} rows`, { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('is readable in both languages, on a phone, in light and dark', async () => {
    const tabs = ['account', 'organization', 'qrCodes', 'users', 'keys', 'allowList', 'audit'];
    await console.inspect(
      Object.fromEntries(tabs.map((tab) => [`/settings?tab=${tab}`, '[role=tabpanel]:not(:empty)'])),
    );
  });
});

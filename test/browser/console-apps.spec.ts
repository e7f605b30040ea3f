import type { AppResponse as App } from '../../src/modules/apps/apps.dto';
import { PLAY_STORE, registerApp } from '../support/apps';
import { chooseAction, toast, useTestConsole } from '../support/console';
import { SHORT_HOST } from '../support/test-app';

const FINGERPRINT = Array.from({ length: 32 }, (_, at) =>
  at.toString(16).padStart(2, '0').toUpperCase(),
).join(':');

describe('apps in the console', () => {
  const console = useTestConsole();

  const apps = async (): Promise<App[]> => {
    const path = `${console.organization.consolePath}/mobile-apps?size=100`;
    const { body } = await console.platform.get(path).expect(200);
    return (body as { content: App[] }).content;
  };
  const appOf = async (id: number) => (await apps()).find((app) => app.id === id);

  it('says what to do first, shows the errors of the API at their fields, and adds an app', async () => {
    const { page } = await console.open('/apps');
    await page.getByText('No app yet').waitFor();
    await page.getByRole('button', { name: 'Add app' }).first().click();
    const panel = page.getByRole('dialog');
    await panel.getByText('Android', { exact: true }).click();
    await panel.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop');
    await panel.getByLabel('Package name').fill('com.example.added');
    await panel.getByLabel('Store page').fill('http://play.google.com');
    await panel.getByLabel('SHA-256 fingerprints').fill('12:34');
    await panel.getByRole('button', { name: 'Add app' }).click();
    await panel.locator('[id$="-error"]').nth(1).waitFor();
    expect(await panel.locator('[id$="-error"]').count()).toBe(2);
    await panel.getByLabel('Store page').fill(PLAY_STORE);
    await panel.getByLabel('SHA-256 fingerprints').fill(`${FINGERPRINT}\n`);
    await panel.getByRole('button', { name: 'Add app' }).click();
    await page.waitForURL(/\/apps\/\d+$/);
    expect(await apps()).toEqual([
      expect.objectContaining({
        appName: 'Shop',
        platform: 'Android',
        bundleId: 'com.example.added',
        sha256CertFingerprints: [FINGERPRINT],
      }),
    ]);
  });

  it('names what is missing, and fills it in, with undo', async () => {
    const { id, path } = await registerApp(console.organization, { scheme: null, storeUrl: null });
    const { page } = await console.open(`/apps/${id}`);
    await page.getByText('Without a team ID, links never open the app as Universal Links.').waitFor();
    await page.getByText(`applinks:${SHORT_HOST}`).waitFor();
    await page.getByText(`/${path}/`).first().waitFor();
    await page.getByRole('button', { name: 'Fill in' }).first().click();
    await page.getByLabel('Team ID').fill('ABCDE12345');
    await page.getByLabel('URL scheme').fill('exampleshop://');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^ABCDE12345\.com\.example\.shop/).waitFor();
    expect(await page.getByText('Missing', { exact: true }).count()).toBe(0);
    expect(await appOf(id)).toMatchObject({ teamId: 'ABCDE12345', scheme: 'exampleshop://' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Missing', { exact: true }).first().waitFor();
    expect(await appOf(id)).toMatchObject({ teamId: null, scheme: null });
  });

  it('shows the publishable key first, and lists the origins that may use it', async () => {
    const { id, apiKey, publishableKey } = await registerApp(console.organization);
    const { page } = await console.open(`/apps/${id}`);
    await page.getByText(publishableKey, { exact: true }).waitFor();
    await page.getByText('Pages of all origins may use it.').waitFor();
    const shown = await page.locator('ol').innerText();
    expect(shown.indexOf(publishableKey)).toBeLessThan(shown.indexOf(apiKey));
    await page.getByRole('button', { name: 'Edit' }).click();
    const origins = page.getByLabel('Allowed origins');
    await origins.fill('shop.example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must contain origins such as').waitFor();
    await origins.fill('https://shop.example.com\ncapacitor://localhost\n');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('may use it: https://shop.example.com, capacitor://localhost').waitFor();
    expect((await appOf(id))?.allowedOrigins).toEqual(['https://shop.example.com', 'capacitor://localhost']);
  });

  it('shows the code of the guides, with the keys of the app', async () => {
    const { id, apiKey, publishableKey } = await registerApp(console.organization, {
      platform: 'Android',
      storeUrl: PLAY_STORE,
    });
    const { page } = await console.open(`/apps/${id}`);
    await page.getByText(`WAYPOST_APP_KEY=${apiKey}`).waitFor();
    const own = `appId: ${id}, publishableKey: '${publishableKey}', url: '${new URL(page.url()).origin}'`;
    await page.getByText(`createWaypost({ ${own} });`).waitFor();
    await page.getByRole('tab', { name: 'Kotlin' }).click();
    await page.getByText('class DeepLinks(private val context').waitFor();
    await page.getByText(`"X-App-ID", "${id}"`).waitFor();
    await page.getByRole('tab', { name: 'Node.js' }).click();
    await page.getByText("createHmac('sha256', process.env.WAYPOST_APP_KEY)").waitFor();
    const web = await registerApp(console.organization, { platform: 'Web', scheme: null, storeUrl: null });
    await page.goto(page.url().replace(/\d+$/, String(web.id)));
    const shown = `appId: ${web.id}, publishableKey: '${web.publishableKey}'`;
    await page.getByText(`Waypost.init({ ${shown} });`).waitFor();
    await page.getByText(`const OPTIONS = { ${shown}`).waitFor();
    await page.getByRole('tab', { name: 'Node.js' }).click();
    await page.getByText('export function signedMember').waitFor();
    await page.getByRole('tab', { name: 'Express' }).click();
    await page.getByText('export function waypostProxy').waitFor();
  });

  it('regenerates either key and deletes the app after its name was typed', async () => {
    const { id, apiKey, publishableKey } = await registerApp(console.organization, {
      appName: 'To be deleted',
    });
    const { page } = await console.open(`/apps/${id}`);
    const regenerate = async (item: string) => {
      await chooseAction(page, item);
      const act = page.getByRole('dialog').getByRole('button', { name: item });
      expect(await act.isDisabled()).toBe(true);
      await page.getByRole('dialog').getByRole('textbox').fill('To be deleted');
      await act.click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await regenerate('Regenerate secret key');
    await toast(page, 'The app has a new key');
    const { apiKey: renewed = '', publishableKey: kept } = (await appOf(id)) ?? {};
    expect(renewed).not.toBe(apiKey);
    expect(kept).toBe(publishableKey);
    await page.getByText(`WAYPOST_APP_KEY=${renewed}`).waitFor();
    await regenerate('Regenerate publishable key');
    await page.getByText(publishableKey, { exact: true }).waitFor({ state: 'detached' });
    const { apiKey: same, publishableKey: other = '' } = (await appOf(id)) ?? {};
    expect(same).toBe(renewed);
    await page.getByText(other, { exact: true }).waitFor();
    await chooseAction(page, 'Delete');
    await page.getByRole('dialog').getByRole('textbox').fill('To be deleted');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/apps$/);
    expect(await appOf(id)).toBeUndefined();
  });

  it('shows the association files as they are served, and their problems', async () => {
    const { id, path } = await registerApp(console.organization, { teamId: 'ABCDE12345' });
    const { page } = await console.open(`/apps/${id}?tab=files`);
    await page.getByRole('link', { name: /apple-app-site-association$/ }).waitFor();
    expect(await page.getByRole('group', { name: /apple-app-site/ }).innerText()).toContain(`/${path}/*`);
    await page.getByText('Names the app').waitFor();
    await page.getByText('Phones get the file over HTTPS only.').waitFor();
    await page.getByRole('tab', { name: 'Installs' }).click();
    await page.getByText('No installs in this range').waitFor();
    await page.getByText('Last 7 days').click();
    await page.waitForURL(/days=7/);
  });

  it('finds apps by name', async () => {
    await registerApp(console.organization, { appName: 'Needle' });
    const { page } = await console.open('/apps');
    await page.getByRole('searchbox').fill('needl');
    await page.waitForURL(/search=needl/);
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Needle' }).waitFor();
  });

  it('is readable in both languages, on a phone, in light and dark', async () => {
    const { id } = await registerApp(console.organization, { teamId: null });
    await console.inspect({
      '/apps': 'table',
      [`/apps/${id}`]: 'ol pre',
      [`/apps/${id}?tab=files`]: 'pre',
      [`/apps/${id}?tab=installs`]: 'h2',
    });
  });
});

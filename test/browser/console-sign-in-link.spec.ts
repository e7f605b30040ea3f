import { SignInLinks } from '../../src/access/sign-in-links/sign-in-links.service';
import { screenshot, TestBrowser } from '../support/browser';
import { createOrganization, type TestOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';

describe('a sign-in link in a browser', () => {
  const app = useTestApp();
  let organization: TestOrganization;
  let browser: TestBrowser;

  beforeAll(async () => {
    organization = await createOrganization(app);
    browser = await TestBrowser.start(app);
  });
  afterAll(() => browser.close());
  afterEach(() => browser.leave());

  const newLink = async () => (await app.get(SignInLinks).create({ username: organization.username })) ?? '';

  it('enters the console, and leaves no token in the address or the history', async () => {
    const { page } = await browser.look('desktop');
    const link = await newLink();
    await page.goto(link);
    await page.waitForURL(/\/console\/?$/);
    await page.getByRole('navigation').waitFor();
    await page.goBack();
    expect(page.url()).not.toContain('token');
  });

  it('that was used shows what the API said, with the form below', async () => {
    const link = await newLink();
    const first = await browser.look('desktop');
    await first.page.goto(link);
    await first.page.waitForURL(/\/console\/?$/);
    const second = await browser.look('iphone');
    await second.page.goto(link);
    const alert = second.page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('has been used');
    expect(second.page.url()).not.toContain('token');
    await screenshot(second.page, 'console-sign-in-link-used');
    const { username, password } = organization;
    await second.page.getByLabel('User name').fill(username);
    await second.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await second.page.getByRole('button', { name: 'Sign in' }).click();
    await second.page.waitForURL(/\/console\/?$/);
  });
});

import request from 'supertest';
import { registerApp } from '../support/apps';
import { useTestConsole } from '../support/console';
import { createLink, SHORT_ORIGIN } from '../support/links';
import { API_HOST } from '../support/test-app';

describe('the link tester of the console', () => {
  const console = useTestConsole();

  const report = (body: Record<string, unknown>) =>
    request(console.app.url)
      .post('/api/v1/sdk/web/deeplink/debug-scheme')
      .set('Host', API_HOST)
      .send(body)
      .expect(200);

  it('shows what a visitor gets, by device and country, and which destination applies', async () => {
    const { id, shortUrl } = await createLink(console.organization, {
      title: 'Spring sale',
      targeting: [
        { countries: ['KR'], url: 'https://shop.example.com/korea' },
        { devices: ['Desktop'], url: 'https://shop.example.com/desktop' },
      ],
    });
    const { page } = await console.open('/tester');
    await page.getByText('Test an address').waitFor();
    await page.getByRole('textbox', { name: 'Short address' }).fill(shortUrl);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('The destination of Spring sale').waitFor();
    await page.getByText(shortUrl.replace(/^https?:\/\//, ''), { exact: true }).waitFor();
    await page.getByRole('link', { name: 'https://shop.example.com/spring' }).waitFor();
    expect(await page.getByRole('link', { name: 'Spring sale' }).getAttribute('href')).toBe(
      `/console/links/${id}`,
    );
    await page.getByRole('combobox', { name: 'Device' }).click();
    await page.getByRole('option', { name: 'Windows, Chrome' }).click();
    await page.getByText('Targeting rule 2').waitFor();
    await page.getByText('Rule 1: Country is unknown').waitFor();
    await page.getByRole('link', { name: 'https://shop.example.com/desktop' }).waitFor();
    await page.getByRole('combobox', { name: 'Country' }).fill('South K');
    await page.getByRole('option', { name: 'South Korea' }).click();
    await page.getByText('Targeting rule 1').waitFor();
    await page.getByRole('link', { name: 'https://shop.example.com/korea' }).waitFor();
    const region = page.getByRole('textbox', { name: /^Region/ });
    await region.fill('Busan');
    await region.press('Enter');
    await page.getByText('must be an ISO 3166-2 code').waitFor();
    await region.fill('kr-26');
    await page.getByRole('textbox', { name: /^City/ }).fill('Busan');
    await page.keyboard.press('Enter');
    await page.getByText('Targeting rule 1').waitFor();
    expect(page.url()).toMatch(/region=kr-26&city=Busan/);
  });

  it('tells a VIEWER why an address does not answer, and what is no short address, at the field', async () => {
    const { shortUrl } = await createLink(console.organization);
    const { page } = await console.open('/tester', { as: await console.user('VIEWER') });
    const address = page.getByRole('textbox', { name: 'Short address' });
    await address.fill(shortUrl);
    await address.press('Enter');
    await page.getByText('The visitor is redirected to the destination.').waitFor();
    await address.fill(`${SHORT_ORIGIN}/nothing-here`);
    await address.press('Enter');
    await page.getByText('No link or campaign of your organization has this address.').waitFor();
    await page.getByText('404', { exact: true }).waitFor();
    await address.fill('mailto://x');
    await address.press('Enter');
    await page.getByText('must be a short address').waitFor();
    await address.fill('https://elsewhere.example/spring');
    await address.press('Enter');
    await page.getByText('Your organization has no short links on this host.').waitFor();
  });

  it('follows the debug log, whose reports are only ever text', async () => {
    await registerApp(console.organization, { appName: 'Reporting app', scheme: 'reportingshop://' });
    const { page, complaints } = await console.open('/tester');
    await page.getByText('No reports in the last 24 hours.').waitFor();
    await page.getByText('Waypost.getInstance().debugScheme').waitFor();
    await report({ appUrl: 'reportingshop://products/42', pathPart: '<img src=x onerror=alert(1)>' });
    await page.getByRole('link', { name: 'Reporting app' }).waitFor();
    await page.getByText('reportingshop://products/42', { exact: true }).waitFor();
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is readable in both languages, on a phone, in light and dark', async () => {
    const { shortUrl } = await createLink(console.organization);
    await registerApp(console.organization, { appName: 'Shop', scheme: 'pictureshop://' });
    await report({
      appUrl: 'pictureshop://products/42',
      appScheme: 'pictureshop',
      androidPackage: 'com.example',
    });
    await console.inspect({ [`/tester?url=${encodeURIComponent(shortUrl)}&country=KR`]: 'main ol' });
  });
});

import { chooseAction, toast, useTestConsole } from '../support/console';
import { useDnsServer } from '../support/dns-server';
import { type Domain, DomainConsole } from '../support/domains';
import { eventually } from '../support/eventually';
import { createLink } from '../support/links';
import { SHORT_HOST } from '../support/test-app';

describe('custom domains in the console', () => {
  const dns = useDnsServer();
  beforeAll(() => dns.cname(`_waypost.${SHORT_HOST}`, 'alive.test'));
  const console = useTestConsole({}, () => ({ env: { DNS_SERVERS: dns.address } }));
  let domains: DomainConsole;
  beforeAll(() => {
    domains = new DomainConsole(console.app, console.organization);
  });

  const all = async (): Promise<Domain[]> => {
    const { body } = await domains.list().expect(200);
    return (body as { content: Domain[] }).content;
  };
  const domainOf = async (id: number) => (await all()).find((domain) => domain.id === id);
  const verified = async (name: string): Promise<Domain> => {
    const domain = await domains.added(name);
    dns.cname(domain.cnameRecordName, domain.cnameRecordValue);
    return domains.acted(domain.id, 'verify');
  };

  it('says what to do first, shows the error of the API at its field, and adds a domain with its records', async () => {
    const { page } = await console.open('/domains');
    await page.getByText('No domain yet').waitFor();
    await page.getByRole('button', { name: 'Add domain' }).first().click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('textbox').fill('not a domain');
    await panel.getByRole('button', { name: 'Add domain' }).click();
    await panel.locator('[id$="-error"]').waitFor();
    await panel.getByRole('textbox').fill('links.added.test');
    await panel.getByRole('button', { name: 'Add domain' }).click();
    await page.waitForURL(/\/domains\/\d+$/);
    const [domain] = await all();
    await page.getByText(String(domain?.cnameRecordValue)).first().waitFor();
    expect(await page.getByText('_waypost.links.added.test').first().innerText()).toBe(
      domain?.cnameRecordName,
    );
  });

  it('names the codes that collide before letter case is ignored', async () => {
    const { id } = await domains.added(`case.${SHORT_HOST}`);
    await createLink(console.organization, { customDomainId: id, customAlias: 'Sale' });
    const small = await createLink(console.organization, { customDomainId: id, customAlias: 'sale' });
    const { page } = await console.open(`/domains/${id}`);
    const counts = page.getByRole('switch', { name: 'Letter case of codes counts' });
    await counts.click({ force: true });
    await page.getByText('Codes that differ in letter case alone: 1').waitFor();
    await page.getByRole('link', { name: 'sale', exact: true }).waitFor();
    expect(await counts.isChecked()).toBe(true);
    await console.organization.api.delete(`/api/v1/service/urls/${small.id}`).expect(204);
    await counts.click({ force: true });
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved');
    await eventually(async () => expect(await counts.isChecked()).toBe(false));
    expect(await domainOf(id)).toMatchObject({ caseSensitiveCodes: false });
  });

  it('checks by itself while the record is awaited, and says what was found', async () => {
    const domain = await domains.added('links.awaited.test');
    dns.cname(domain.cnameRecordName, 'wrong.test');
    const { page } = await console.open(`/domains/${domain.id}`);
    await page.getByRole('button', { name: 'Check now' }).click();
    await toast(page, 'The record that proves the domain has another value.');
    expect(await page.getByText('Domain checked').count()).toBe(0);
    await page.getByText('wrong.test').waitFor();
    dns.cname(domain.cnameRecordName, domain.cnameRecordValue);
    await page.getByText('The domain is yours, but its address does not lead here yet.').waitFor();
    expect(await domainOf(domain.id)).toMatchObject({ status: 'VERIFIED' });
  });

  it('asks for no CNAME on an apex domain', async () => {
    const { id } = await domains.added('apex-brand.test');
    const { page } = await console.open(`/domains/${id}`);
    await page.getByText('cannot have a CNAME').waitFor();
    const traffic = page.getByRole('list', { name: 'Lead visitors here' });
    await traffic.getByText('ALIAS').waitFor();
    expect(await traffic.getByText('CNAME', { exact: true }).count()).toBe(0);
  });

  it('saves where visitors go who open no link, with undo', async () => {
    const { id } = await verified('links.pages.test');
    const { page } = await console.open(`/domains/${id}`);
    const field = page.getByRole('textbox', { name: 'The domain itself' });
    await field.fill('ftp://www.example.com/');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[id$="-error"]').waitFor();
    await field.fill('https://www.example.com/');
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved');
    expect(await domainOf(id)).toMatchObject({ rootUrl: 'https://www.example.com/', expiredUrl: null });
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => expect(await field.inputValue()).toBe(''));
    expect(await domainOf(id)).toMatchObject({ rootUrl: null });
  });

  it('revokes with undo, requests the deletion, and deletes a domain in use after two warnings', async () => {
    const { id, domainName } = await verified('links.used.test');
    await createLink(console.organization, { customDomainId: id });
    const { page } = await console.open(`/domains/${id}`);
    await chooseAction(page, 'Revoke');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await toast(page, 'Domain revoked');
    expect(await domainOf(id)).toMatchObject({ status: 'REVOKED' });
    await page.getByRole('button', { name: 'Undo' }).click();
    // The record is there, but the name does not lead here.
    await toast(page, 'The domain is yours, but its address does not lead here yet.');
    await eventually(async () => expect(await domainOf(id)).toMatchObject({ status: 'VERIFIED' }));
    await chooseAction(page, 'Request deletion');
    await page.getByRole('dialog').getByRole('button', { name: 'Request deletion' }).click();
    await page.getByText('Its deletion was requested on').waitFor();
    expect(await domainOf(id)).toMatchObject({ deletionRequested: true });
    await chooseAction(page, 'Delete');
    await page.getByRole('dialog').getByRole('textbox').fill(domainName);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 links and 0 campaigns are on the domain.').waitFor();
    await page.getByRole('dialog').getByRole('textbox').fill(domainName);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete anyway' }).click();
    await page.waitForURL(/\/domains$/);
    expect(await domainOf(id)).toBeUndefined();
  });

  it('finds domains by name and status', async () => {
    await verified('links.needle.test');
    const { page } = await console.open('/domains');
    await page.getByRole('searchbox').fill('needle');
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await page.getByText('No domain like this').waitFor();
    expect(new URL(page.url()).search).toBe('?search=needle&status=FAILED');
  });

  it('is readable in both languages, on a phone, in light and dark', async () => {
    const { id } = await domains.added('links.brand.test');
    await console.inspect({ '/domains': 'table', [`/domains/${id}`]: 'ol' });
  });
});

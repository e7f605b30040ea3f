import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { ContactResponse as Contact } from '../../src/modules/contacts/contact-response.dto';
import { chooseAction, seriousFindings, settled, toast, useTestConsole } from '../support/console';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';

describe('contacts in the console', () => {
  const console = useTestConsole({ defaultRegion: 'KR' });

  const path = (below: string) => `${console.organization.consolePath}${below}`;
  const save = async (body: object): Promise<Contact> => {
    const saved = await console.platform.post(path('/messaging/contacts'), body);
    expect([200, 201]).toContain(saved.status);
    return saved.body as Contact;
  };
  const read = async (id: number, status = 200): Promise<Contact> =>
    (await console.platform.get(path(`/messaging/contacts/${id}`)).expect(status)).body as Contact;
  const find = async (keyword: string): Promise<Contact[]> =>
    (await console.platform.read<{ content: Contact[] }>(path('/messaging/contacts'), { keyword })).content;
  const createGroup = (name: string): Promise<{ id: number }> =>
    console.platform.create<{
      id: number;
    }>(path('/messaging/groups'), { name });
  const confirmName = async (page: Page, button: string, name: string) => {
    const dialog = page.getByRole('dialog').filter({ hasText: 'to confirm' });
    const remove = dialog.getByRole('button', { name: button });
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(name);
    await remove.click();
  };

  it('says what to do first, shows the error of the API at its field, and adds a contact', async () => {
    const { page } = await console.open('/contacts');
    await page.getByText('No contact yet').waitFor();
    await page.getByRole('button', { name: 'Add contact' }).first().click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('textbox', { name: 'Name', exact: true }).fill('Kim Minji');
    await panel.getByRole('textbox', { name: 'E-mail' }).fill('not an address');
    await panel.getByRole('button', { name: 'Add contact' }).click();
    await panel.getByText(/must be an email|must be a valid e-?mail|e-mail address/i).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await panel.getByRole('textbox', { name: 'E-mail' }).fill('Minji@Example.com');
    await panel.getByRole('textbox', { name: 'Phone number' }).fill('010-2345-6789');
    await panel.getByRole('checkbox', { name: 'Text message' }).first().check();
    await panel.getByRole('button', { name: 'Add attribute' }).click();
    await panel.getByPlaceholder('Name of the attribute').fill('grade');
    await panel.getByPlaceholder('Value of the attribute').fill('gold');
    await panel.getByRole('button', { name: 'Add contact' }).click();
    await page.getByRole('link', { name: 'Kim Minji' }).waitFor();
    expect(await find('Kim Minji')).toEqual([
      expect.objectContaining({
        email: 'minji@example.com',
        phoneNumber: '+821023456789',
        smsOptIn: true,
        customFields: { grade: 'gold' },
      }),
    ]);
  });

  it('searches and filters, and keeps both in the address', async () => {
    const group = await createGroup('Searched');
    await save({ name: 'Park Searched', groupId: group.id, tags: ['vip'] });
    await save({ name: 'Lee Searched' });
    const { page } = await console.open('/contacts');
    await page.getByRole('searchbox').fill('Searched');
    await page.getByText('2 rows').waitFor();
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('textbox', { name: 'Tag' }).fill('vip');
    await page.keyboard.press('Enter');
    await page.getByText('1 row', { exact: true }).waitFor();
    expect(page.url()).toContain('tag=vip');
    await page.reload();
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Park Searched' }).waitFor();
    await page.goto(page.url().replace(/\?.*/, `?groupId=${group.id}`));
    await page.getByText('Group: Searched').waitFor();
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: 'Lee Searched' }).waitFor();
  });

  it('changes only what was changed, and shows what the API says of an attribute', async () => {
    const { id } = await save({ name: 'Choi Edited', customFields: { grade: 'gold', size: 'L' } });
    const { page } = await console.open(`/contacts/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('textbox', { name: 'Name', exact: true }).fill('Choi Changed');
    await panel.getByRole('button', { name: 'Remove attribute size' }).click();
    await save({ externalUserId: `edited-${id}`, name: 'Another' });
    await panel.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Choi Changed' }).waitFor();
    expect(await read(id)).toMatchObject({ name: 'Choi Changed', customFields: { grade: 'gold' } });
  });

  it('adds selected contacts to a group and takes it back', async () => {
    const group = await createGroup('Selected');
    const one = await save({ name: 'Selected One' });
    const two = await save({ name: 'Selected Two' });
    const { page } = await console.open('/contacts?q=Selected');
    await page.getByText('2 rows').waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    await page.getByRole('button', { name: 'Add to group' }).click();
    await page.getByRole('menuitem', { name: 'Selected' }).click();
    await toast(page, '2 contacts added to Selected');
    expect((await read(one.id)).groupIds).toContain(group.id);
    expect((await read(two.id)).groupIds).toContain(group.id);
    await page.getByRole('button', { name: 'Undo' }).click();
    await toast(page, '2 contacts removed from Selected');
    expect((await read(one.id)).groupIds).not.toContain(group.id);
    await page.getByRole('checkbox', { name: 'Select Selected Two' }).check();
    await page.getByRole('button', { name: 'Add to group' }).click();
    await page.getByRole('menuitem', { name: 'Selected' }).click();
    await toast(page, '1 contact added to Selected');
    await page.getByRole('checkbox', { name: 'Select Selected Two' }).check();
    await page.getByRole('button', { name: 'Remove from group' }).click();
    await page.getByRole('menuitem', { name: 'Selected' }).click();
    await toast(page, '1 contact removed from Selected');
    expect((await read(two.id)).groupIds).not.toContain(group.id);
  });

  it('adds all contacts that match to a group, also those that are not loaded', async () => {
    const group = await createGroup('Everybody');
    const rows = Array.from({ length: 1203 }, (_, n) => `Matching ${n}`);
    await console.platform
      .post(path('/messaging/contacts/import'))
      .type('text/csv')
      .send(['name', ...rows].join('\n'))
      .expect(200);
    const { page } = await console.open('/contacts?q=Matching');
    const bar = page.getByRole('region', { name: 'Selected contacts' });
    await page.getByText('1,203 rows').waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/contacts\/ids/, (route) => asked.then(() => route.continue()));
    await bar.getByRole('button', { name: 'Select all 1,203 that match' }).click();
    for (const name of ['Add to group', 'Remove from group', 'Clear selection']) {
      expect(await bar.getByRole('button', { name }).isDisabled()).toBe(true);
    }
    answer();
    await bar.getByText('1,203 selected').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    for (const [add, done] of [
      ['Add to group', '1,203 contacts added to Everybody'],
      ['Remove from group', '1,203 contacts removed from Everybody'],
    ] as const) {
      await bar.getByRole('button', { name: add }).click();
      await page.getByRole('menuitem', { name: 'Everybody' }).click();
      await page.getByRole('dialog').getByRole('button', { name: add }).click();
      await page.getByText(done).waitFor();
      await bar.waitFor({ state: 'detached' });
      await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
      await bar.getByRole('button', { name: 'Select all 1,203 that match' }).click();
    }
    const { body } = await console.platform.get(path(`/messaging/groups/${group.id}`)).expect(200);
    expect(body).toMatchObject({ memberCount: 0 });
    await page.getByRole('searchbox').fill('Nobody');
    await bar.waitFor({ state: 'detached' });
  });

  it('makes, renames and deletes groups, asks before text is lost, and tells of what others have changed', async () => {
    const group = await createGroup('Edited by two');
    const { page } = await console.open('/contacts');
    await page.getByRole('button', { name: 'Groups' }).click();
    const panel = page.getByRole('dialog', { name: 'Groups' });
    await panel.getByRole('button', { name: 'New group' }).click();
    await panel.getByRole('button', { name: 'Create group' }).click();
    await panel.getByText(/must/).first().waitFor();
    await panel.getByRole('textbox', { name: 'Name' }).fill('Regulars');
    await panel.getByRole('button', { name: 'Create group' }).click();
    await panel.getByRole('button', { name: 'Edit group Regulars' }).waitFor();
    await panel.getByRole('button', { name: 'New group' }).click();
    await panel.getByRole('textbox', { name: 'Name' }).fill('Half a name');
    await panel.getByRole('button', { name: 'Edit group Edited by two' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    const name = panel.getByRole('textbox', { name: 'Name' });
    await eventually(async () => expect(await name.inputValue()).toBe('Edited by two'));
    await console.platform
      .put(path(`/messaging/groups/${group.id}`), { description: 'By others' })
      .expect(200);
    await name.fill('Edited by me');
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('Stored: By others').waitFor();
    await panel.getByRole('button', { name: 'Take the stored values' }).click();
    await panel.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Group saved');
    const { body } = await console.platform.get(path(`/messaging/groups/${group.id}`)).expect(200);
    expect(body).toMatchObject({ name: 'Edited by me', description: 'By others' });
    await panel.getByRole('button', { name: 'Delete group Edited by me' }).click();
    await confirmName(page, 'Delete', 'Edited by me');
    await toast(page, 'Group deleted');
    await console.platform.get(path(`/messaging/groups/${group.id}`)).expect(404);
  });

  it('blocks with undo, deactivates, shows the rest, and erases', async () => {
    const { id } = await save({ name: 'Jung Gone', phoneNumber: '010-5555-1234' });
    const { page } = await console.open(`/contacts/${id}`);
    await chooseAction(page, 'Block');
    await toast(page, 'Contact blocked');
    expect((await read(id)).blocked).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Contact unblocked');
    expect((await read(id)).blocked).toBe(false);
    await chooseAction(page, 'Deactivate');
    await confirmName(page, 'Deactivate', 'Jung Gone');
    await toast(page, 'Contact deactivated');
    await read(id, 404);
    await page.goto(`${new URL(page.url()).origin}/console/contacts/${id}`);
    await page.getByRole('button', { name: 'Show everything stored' }).click();
    await page.getByText('Deactivated', { exact: true }).waitFor();
    await chooseAction(page, 'Erase everything');
    await confirmName(page, 'Erase everything', 'Jung Gone');
    await toast(page, 'Everything about the person was erased');
    await console.platform.get(path(`/messaging/contacts/${id}/export`)).expect(404);
  });

  it('takes back a removed opt-out, and an opt-out', async () => {
    const value = '+821055551235';
    const { id } = await save({ name: 'Seo Undone', phoneNumber: value });
    await console.platform
      .post(path('/messaging/unsubscribes'), {
        channel: 'WHATSAPP',
        value,
        source: 'call centre',
        unsubscribedAt: '2026-01-02T03:04:05Z',
      })
      .expect(201);
    const isOut = async (whatsapp: boolean, sms: boolean) => {
      const { optedOut } = await read(id);
      expect([optedOut.whatsapp, optedOut.sms]).toEqual([whatsapp, sms]);
    };
    const { page, complaints } = await console.open(`/contacts/${id}`);
    const undo = page.getByRole('button', { name: 'Undo' });
    await page.getByRole('button', { name: 'Remove opt-out: WhatsApp' }).click();
    await toast(page, 'Opt-out removed');
    await isOut(false, false);
    await undo.click();
    await page.getByRole('button', { name: 'Remove opt-out: WhatsApp' }).waitFor();
    await isOut(true, false);
    const { body } = await console.platform
      .get(path('/messaging/unsubscribes?channel=WHATSAPP&limit=1000'))
      .expect(200);
    const restored = body.items.find((item: { value: string }) => item.value === value);
    expect(restored).toMatchObject({ source: 'call centre', unsubscribedAt: '2026-01-02T03:04:05Z' });
    await page.getByRole('button', { name: 'Opt out: Text message' }).click();
    await page.getByRole('button', { name: 'Remove opt-out: Text message' }).waitFor();
    await isOut(true, true);
    await undo.last().click();
    await page.getByRole('button', { name: 'Opt out: Text message' }).waitFor();
    await isOut(true, false);
    expect(complaints).toEqual([]);
  });

  it('reads everything stored of a person only when asked, as the audit log says', async () => {
    const { id } = await save({ name: 'Han Read' });
    const exports = async () => {
      const { body } = await console.platform
        .get(path('/audit-log'), { resourceType: 'contact', resourceId: String(id) })
        .expect(200);
      const entries = (body as { content: { action: string }[] }).content;
      return entries.filter(({ action }) => /export/i.test(action)).length;
    };
    const { page, complaints } = await console.open(`/contacts/${id}`);
    await page.getByRole('region', { name: 'Details' }).waitFor();
    await chooseAction(page, 'Block');
    await toast(page, 'Contact blocked');
    await settled(page);
    expect(await exports()).toBe(0);
    await page.getByRole('button', { name: 'Show everything stored' }).click();
    await page.getByRole('region', { name: 'Activity' }).waitFor();
    await page.getByRole('region', { name: 'Other stored data' }).waitFor();
    expect([await exports(), complaints]).toEqual([1, []]);
  });

  it('downloads everything stored of a person, and the list', async () => {
    const { id } = await save({ name: 'Yoon Exported' });
    const { page } = await console.open(`/contacts/${id}`);
    const [person] = await Promise.all([
      page.waitForEvent('download'),
      chooseAction(page, 'Export everything stored (JSON)'),
    ]);
    expect(person.suggestedFilename()).toBe(`contact-${id}.json`);
    expect(JSON.parse(readFileSync(await person.path(), 'utf8'))).toMatchObject({
      contact: { name: 'Yoon Exported' },
    });
    await page.getByRole('link', { name: 'Contacts', exact: true }).first().click();
    const [list] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    expect(readFileSync(await list.path(), 'utf8')).toContain('Yoon Exported');
  });

  it('imports a file in parts, says which lines failed, and goes on when it is left', async () => {
    const lines = Array.from({ length: 1_200 }, (_, row) =>
      row === 900 ? 'bulk-900,Imported,not a number' : `bulk-${row},Imported ${row},`,
    );
    const file = {
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`externalUserId,name,phoneNumber\r\n${lines.join('\r\n')}\r\n`),
    };
    const { page } = await console.open('/contacts');
    await page.getByRole('button', { name: 'Import' }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('dialog').getByRole('button', { name: 'CSV file' }).click();
    await (await chooser).setFiles(file);
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await page.getByRole('button', { name: 'Continue in the background' }).click();
    await page.getByRole('link', { name: 'Opt-outs' }).click();
    await toast(page, 'Created: 1,199, changed: 0');
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByRole('row', { name: /902.*not a number/ }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect((await find('Imported 1199')).length).toBe(1);
  });

  it('is readable in both languages, on a phone, in light and dark', async () => {
    const group = await createGroup('Seoul shops');
    const { id } = await save({
      name: '김민지 Kim Minji',
      phoneNumber: '010-9999-1234',
      email: 'minji.kim.with.a.rather.long.address@marketing.example.com',
      externalUserId: 'member-1001',
      tags: ['vip', 'seoul', 'spring'],
      groupId: group.id,
      customFields: { grade: 'gold', signup_date: '2026-03-01' },
      smsOptIn: true,
    });
    await console.inspect({ '/contacts': 'table', [`/contacts/${id}`]: 'table' });
  });

  it('shows an EDITOR no act of an ADMIN', async () => {
    const { id } = await save({ name: 'Oh Seen' });
    const editor = await console.open(`/contacts/${id}`, { as: await console.user('EDITOR') });
    await editor.page.getByRole('button', { name: 'Actions' }).click();
    await editor.page.getByRole('menuitem', { name: 'Deactivate' }).waitFor();
    expect(await editor.page.getByRole('menuitem', { name: /Erase|Export/ }).count()).toBe(0);
    expect(editor.complaints).toEqual([]);
  });

  it('says what the API said in place of the list when the add-on is not booked', async () => {
    const as = await createOrganization(console.app, { addOns: [] });
    const { page } = await console.open('/contacts', { as });
    await page
      .getByRole('alert')
      .getByText(/MESSAGING/)
      .waitFor();
    expect(await page.getByRole('button', { name: /Add|Import|Groups/ }).count()).toBe(0);
  });
});

import type { UnsubscribeItem as Entry } from '../../src/modules/unsubscribes/feeds/unsubscribe-feeds.dto';
import { toast, useTestConsole } from '../support/console';

describe('opt-outs in the console', () => {
  const console = useTestConsole({ defaultRegion: 'KR' });

  const path = (below: string) => `${console.organization.consolePath}${below}`;
  const entries = async (channel: string): Promise<Entry[]> =>
    (await console.platform.read<{ items: Entry[] }>(path('/messaging/unsubscribes'), { channel })).items;
  const values = async (channel: string) => (await entries(channel)).map(({ value }) => value);
  const add = (channel: string, method: string, items: object[]) =>
    console.platform.post(path('/messaging/unsubscribes/import'), { channel, method, items }).expect(200);

  it('says what to do first, shows the error of the API at its field, and registers with undo', async () => {
    const { page } = await console.open('/opt-outs');
    await page.getByText('Nobody has opted out of this channel').waitFor();
    await page.getByRole('button', { name: 'Register' }).click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('textbox', { name: 'Phone number' }).fill('12');
    await panel.getByRole('button', { name: 'Register' }).click();
    await panel.getByText(/must be/).waitFor();
    await panel.getByRole('textbox', { name: 'Phone number' }).fill('010-1111-2222');
    await panel.getByRole('textbox', { name: 'Source' }).fill('call centre');
    await panel.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('row', { name: /\+821011112222.*call centre/ }).waitFor();
    expect(await values('SMS')).toEqual(['+821011112222']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Opt-out removed');
    expect(await values('SMS')).toEqual([]);
  });

  it('checks a value, and says of a bad one that it is none', async () => {
    await add('EMAIL', 'CSV', [{ value: 'checked@example.com' }]);
    const { page } = await console.open('/opt-outs?channel=EMAIL');
    const field = page.getByRole('textbox', { name: 'Check a number or address' });
    await field.fill('Checked@Example.com');
    await page.keyboard.press('Enter');
    await page.getByText('Checked@Example.com has opted out').waitFor();
    await field.fill('other@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('other@example.com has not opted out').waitFor();
    await field.fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByText('nobody is no number or address, so it cannot have opted out').waitFor();
  });

  it('removes what is selected, and registers it again with its method, source and time', async () => {
    const unsubscribedAt = '2026-01-05T03:04:05Z';
    await add('WHATSAPP', '080', [{ value: '010-3333-0001', source: '080-1', unsubscribedAt }]);
    await add('WHATSAPP', 'CSV', [{ value: '010-3333-0002' }]);
    const before = await entries('WHATSAPP');
    const { page } = await console.open('/opt-outs?channel=WHATSAPP');
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    await page
      .getByRole('region', { name: 'Selected entries' })
      .getByRole('button', { name: 'Remove', exact: true })
      .click();
    await toast(page, '2 opt-outs removed');
    expect(await entries('WHATSAPP')).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await toast(page, '2 opt-outs registered again');
    const facts = ({ value, method, source, unsubscribedAt: at }: Entry) => ({ value, method, source, at });
    expect((await entries('WHATSAPP')).map(facts)).toEqual(before.map(facts));
  });

  it('lists the newest first', async () => {
    const on = (at: number, unsubscribedAt: string) => ({ value: `o${at}@order.example`, unsubscribedAt });
    await add('EMAIL', 'CSV', [on(2, '2026-01-02'), on(3, '2026-01-03'), on(1, '2026-01-01')]);
    const { page } = await console.open('/opt-outs?channel=EMAIL');
    const shown = page.getByRole('cell').getByText(/@order\.example$/);
    await shown.first().waitFor();
    const values = await shown.allInnerTexts();
    expect(values).toEqual(['o3@order.example', 'o2@order.example', 'o1@order.example']);
  });

  it('registers and removes many, and says which lines are refused', async () => {
    const { page } = await console.open('/opt-outs');
    await page.getByRole('button', { name: 'Many at once' }).click();
    const panel = page.getByRole('dialog');
    const text = panel.getByRole('textbox', { name: 'Numbers or addresses' });
    await panel.getByRole('button', { name: 'Register' }).click();
    await panel.getByText(/must/).waitFor();
    await text.fill('010-4444-0001\n\nnot a number\n010-4444-0002');
    await panel.getByRole('button', { name: 'Register' }).click();
    await panel.getByText('Registered: 2, already on the list: 0, refused: 1').waitFor();
    await panel.getByRole('row', { name: '3 not a number Not a phone number' }).waitFor();
    expect(await values('SMS')).toEqual(expect.arrayContaining(['+821044440001', '+821044440002']));
    await panel.getByText('Remove', { exact: true }).click();
    await text.fill('010-4444-0001\n010-4444-9999');
    await panel.getByRole('button', { name: 'Remove', exact: true }).click();
    await panel.getByText('Removed: 1, not on the list: 1').waitFor();
    expect(await values('SMS')).not.toContain('+821044440001');
  });

  it.each([
    { header: 'phone,source\r\n', row: 702 },
    { header: '', row: 702 },
  ])(
    'imports a file in parts with the header %j, and names the rows that failed',
    async ({ header, row }) => {
      const prefix = header === '' ? '6' : '7';
      const number = (at: number) => `010-${prefix}000-${String(at).padStart(4, '0')}`;
      const lines = Array.from({ length: 1_100 }, (_, at) => (at === row - 1 ? 'nobody' : number(at)));
      const { page } = await console.open('/opt-outs');
      await page.getByRole('button', { name: 'Import' }).click();
      const panel = page.getByRole('dialog');
      const chooser = page.waitForEvent('filechooser');
      await panel.getByRole('button', { name: 'CSV file' }).click();
      await (
        await chooser
      ).setFiles({
        name: 'numbers.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`${header}${lines.join('\r\n')}\r\n`),
      });
      await panel.getByRole('button', { name: 'Import' }).click();
      await panel.getByText('Registered: 1,099, already on the list: 0').waitFor();
      await panel.getByRole('row', { name: `${row} nobody Not a phone number` }).waitFor();
    },
  );

  it('creates an opt-out link to copy', async () => {
    const { page } = await console.open('/opt-outs?tab=links');
    await page.getByText('No opt-out link yet').waitFor();
    await page.getByRole('button', { name: 'Create link' }).click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('textbox', { name: 'Recipient' }).fill('nobody');
    await panel.getByRole('button', { name: 'Create link' }).click();
    await panel.getByText(/must be/).waitFor();
    await panel.getByRole('textbox', { name: 'Recipient' }).fill('minji@example.com');
    await panel.getByRole('textbox', { name: 'Campaign' }).fill('spring');
    await panel.getByRole('button', { name: 'Create link' }).click();
    const url = await panel.locator('code').innerText();
    await panel.getByRole('button', { name: 'Done' }).click();
    const { body } = await console.platform.get(path('/messaging/opt-out-links')).expect(200);
    expect(body).toMatchObject({
      content: [{ url, channel: 'EMAIL', value: 'minji@example.com', campaign: 'spring' }],
    });
    await page.getByRole('row', { name: /minji@example.com/ }).waitFor();
    await page.getByRole('button', { name: /^Copy: http/ }).waitFor();
  });

  it('is readable in both languages, on a phone, in light and dark', async () => {
    await console.inspect({ '/opt-outs?channel=WHATSAPP': 'table', '/opt-outs?tab=links': 'table' });
  });
});

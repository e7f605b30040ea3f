import type { WebhookResponse as Endpoint } from '../../src/modules/webhooks/api/webhook-endpoints.dto';
import { chooseAction, toast, useTestConsole } from '../support/console';
import { eventually } from '../support/eventually';
import { createLink } from '../support/links';
import { useWebhookReceiver } from '../support/webhook-receiver';

describe('webhooks in the console', () => {
  const console = useTestConsole();

  const receiver = useWebhookReceiver();

  const path = () => `${console.organization.consolePath}/webhooks`;
  const endpoints = async (): Promise<Endpoint[]> =>
    (await console.platform.read<{ content: Endpoint[] }>(path())).content;
  const createEndpoint = (url = receiver.url): Promise<Endpoint> =>
    console.platform.create<Endpoint>(path(), { url, events: ['*'] });

  it('says what to do first, shows the error of the API at its field, and adds an endpoint with its secret', async () => {
    const { page } = await console.open('/webhooks');
    await page.getByText('No endpoint yet').waitFor();
    await page.getByRole('button', { name: 'Add endpoint' }).first().click();
    const url = page.getByRole('textbox', { name: 'Address of the receiver' });
    await url.fill('not an address');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByText(/^must have 1 to \d+ items$/).waitFor();
    await dialog.getByRole('combobox', { name: 'Only these' }).click();
    await page.getByRole('option', { name: 'link.clicked' }).click();
    await dialog.getByRole('switch', { name: 'All events' }).check();
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByText('must be a valid URL').waitFor();
    await url.fill(receiver.url);
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    expect(await page.getByRole('dialog').locator('code').innerText()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: receiver.url }).waitFor();
    expect(await endpoints()).toEqual([
      expect.objectContaining({ url: receiver.url, events: ['*'], enabled: true }),
    ]);
  });

  it('sends a test event, shows request and answer, and delivers again', async () => {
    const { id } = await createEndpoint();
    const { page } = await console.open(`/webhooks/${id}`);
    receiver.answer = (_, response) => response.writeHead(200).end('<b>received</b>');
    await page.getByRole('button', { name: 'Send test event' }).click();
    await toast(page, 'A test event is on its way');
    const row = page.getByRole('row', { name: /webhook\.test.*Delivered/ });
    await row.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('dialog').getByText('<b>received</b>').waitFor();
    await page.getByRole('dialog').getByText('"event": "webhook.test"').waitFor();
    await page.getByRole('dialog').getByText('webhook-signature: ').waitFor();
    const before = receiver.received.length;
    await page.getByRole('button', { name: 'Deliver again' }).click();
    await eventually(async () => expect(receiver.received.length).toBe(before + 1));
    expect(receiver.received.at(-1)?.body.delivery_id).toBe(receiver.received.at(-2)?.body.delivery_id);
  });

  it('rotates the secret, replays, disables with undo, and deletes after the name was typed', async () => {
    const { id } = await createEndpoint();
    const { page } = await console.open(`/webhooks/${id}`);
    await chooseAction(page, 'Rotate secret');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    expect(await page.getByRole('dialog', { name: 'Signing secret' }).locator('code').innerText()).toMatch(
      /^whsec_/,
    );
    await page.keyboard.press('Escape');
    await page.getByText('The replaced secret signs until').waitFor();
    await chooseAction(page, 'Replay events');
    await page.getByRole('dialog').getByRole('button', { name: 'Replay events' }).click();
    await toast(page, 'The replay has begun');
    await chooseAction(page, 'Disable');
    await toast(page, 'Endpoint disabled');
    expect((await endpoints()).find((one) => one.id === id)?.enabled).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Endpoint enabled');
    expect((await endpoints()).find((one) => one.id === id)?.enabled).toBe(true);
    await chooseAction(page, 'Delete');
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
    expect(await remove.isDisabled()).toBe(true);
    await page.getByRole('dialog').getByRole('textbox').fill(new URL(receiver.url).host);
    await remove.click();
    await page.waitForURL(/\/webhooks$/);
    expect((await endpoints()).some((one) => one.id === id)).toBe(false);
  });

  it('shows an endpoint without an address, which a listener pulls', async () => {
    const link = await createLink(console.organization, { title: 'Spring sale' });
    const made = await console.platform.post(path(), { delivery: 'PULL', events: ['link.*'] }).expect(201);
    const { id } = made.body as Endpoint;
    const { page } = await console.open('/webhooks');
    await page.getByRole('link', { name: `Endpoint ${id}` }).click();
    await page.getByRole('heading', { name: `Endpoint ${id}` }).waitFor();
    await page.getByText('a listener pulls its deliveries').waitFor();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await toast(page, 'A test event is on its way');
    const pulled = await console.platform.get(`${path()}/${id}/pending`).expect(200);
    const [{ deliveryId, lease }] = (pulled.body as { deliveries: [{ deliveryId: string; lease: string }] })
      .deliveries;
    const deliveries = path().replace('/webhooks', '/deliveries');
    await console.platform
      .post(`${deliveries}/${deliveryId}/result`, { lease, statusCode: 204, durationMs: 3 })
      .expect(200);
    const row = page.getByRole('row', { name: /webhook\.test.*Delivered/ });
    await row.getByRole('button', { name: 'Details' }).click();
    const request = page.getByRole('dialog').getByLabel('Request');
    expect(await request.innerText()).toMatch(/^Content-Type: application\/json/);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('switch', { name: 'All events' }).check();
    expect(await dialog.getByRole('textbox', { name: 'Address of the receiver' }).count()).toBe(0);
    await dialog.getByRole('combobox', { name: 'Links' }).fill('Spring');
    await page.getByRole('option', { name: 'Spring sale' }).click();
    await dialog.getByRole('combobox', { name: 'Tags' }).fill('Sale');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Only about: Spring sale, sale').waitFor();
    const filters = { links: [link.id], tags: ['sale'] };
    expect((await endpoints()).find((one) => one.id === id)).toMatchObject({
      url: null,
      events: ['*'],
      ...filters,
    });
    await chooseAction(page, 'Delete');
    await page.getByRole('dialog').getByRole('textbox').fill(`Endpoint ${id}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/webhooks$/);
  });

  it('is readable in both languages, on a phone, in light and dark', async () => {
    const { id } = await createEndpoint();
    await console.platform.post(`${path()}/${id}/test`).expect(202);
    await console.inspect({ '/webhooks': 'table', [`/webhooks/${id}`]: 'table' });
  });
});

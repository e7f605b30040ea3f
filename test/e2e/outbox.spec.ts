import { Database } from '../../src/infrastructure/database/database';
import type { OutboxEvent } from '../../src/modules/webhooks/outbox/outbox-event';
import { OutboxHousekeeping } from '../../src/modules/webhooks/outbox/outbox-housekeeping';
import { WebhookOutbox } from '../../src/modules/webhooks/outbox/webhook-outbox';
import { eventsOf } from '../support/outbox';
import { useTestApp } from '../support/test-app';

const event = (organizationId: number, value: string): OutboxEvent => ({
  name: 'contact.created',
  organizationId,
  data: { value, list: [1, null], nested: { text: 'a"\u0000\ud800' } },
});

describe('the outbox', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  const add = (...events: OutboxEvent[]) =>
    app.get(Database).write((tx) => app.get(WebhookOutbox).add(tx, ...events));

  it('stores events, with a time and a new id', async () => {
    await add(event(1, 'one'), event(1, 'two'), event(2, 'three'));
    const kept = await eventsOf(app, 1);
    expect(kept.map(({ name, data }) => ({ name, organizationId: 1, data }))).toEqual([
      event(1, 'one'),
      event(1, 'two'),
    ]);
    expect(new Set(kept.map(({ id }) => id)).size).toBe(2);
    expect(kept[0]?.createdAt).toEqual(new Date('2026-11-20T08:32:00Z'));
    expect(await eventsOf(app, 2)).toHaveLength(1);
  });

  it('accepts zero events, and thousands of one millisecond in order', async () => {
    await add();
    const values = Array.from({ length: 2000 }, (_, i) => String(i));
    for (const from of [0, 1000]) {
      await add(...values.slice(from, from + 1000).map((value) => event(3, value)));
    }
    expect((await eventsOf(app, 3)).map(({ data }) => data.value)).toEqual(values);
  });

  it('drops what was rolled back', async () => {
    const failed = app.get(Database).write(async (tx) => {
      await app.get(WebhookOutbox).add(tx, event(4, 'never'));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await eventsOf(app, 4)).toEqual([]);
  });

  it('stores data encrypted and bound to its row', async () => {
    await add(event(5, '+821012345678'));
    await add(event(5, 'other'));
    const rows = await app.sql('SELECT * FROM outbox_events WHERE organization_id = 5 ORDER BY id');
    expect(JSON.stringify(rows)).not.toContain('1012345678');
    await app.sql('UPDATE outbox_events SET data = $1 WHERE id = $2', [rows[0]?.data, rows[1]?.id]);
    await expect(eventsOf(app, 5)).rejects.toThrow('cannot be decrypted');
  });

  it('deletes any number of events older than 30 days', async () => {
    await add(...Array.from({ length: 5001 }, (_, i) => event(6, String(i))));
    app.clock.advance(1);
    await add(event(6, 'a millisecond younger'));
    app.clock.advance(30 * 86_400_000);
    await add(event(6, 'new'));
    await app.get(OutboxHousekeeping).deleteOld();
    expect((await eventsOf(app, 6)).map(({ data }) => data.value)).toEqual(['a millisecond younger', 'new']);
  });
});

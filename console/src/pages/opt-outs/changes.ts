import { client, queries, type Schemas } from '../../api/client';
import type { UnsubscribeItem_channel } from '../../api/values.gen';
import { unwrap } from '../../kit/form';
import { showDone, showError } from '../../kit/toasts';
import { textOf } from '../../texts/texts';
import { optOutTexts } from './texts';

export type Entry = Schemas['UnsubscribeItem'];
/** What Undo needs to register a value as before. */
type Removed = Pick<Entry, 'value' | 'method' | 'source' | 'unsubscribedAt'>;
export type Channel = (typeof UnsubscribeItem_channel)[number];

interface Address {
  readonly channel: Channel;
  readonly value: string;
}

/** Values per bulk request. */
export const AT_ONCE = 1_000;

export async function registerOptOut({ channel, value }: Address): Promise<void> {
  await unwrap(client.POST('/messaging/unsubscribes', { body: { channel, value } }));
  await queries.invalidateQueries();
  showDone(textOf(optOutTexts, 'registered'), () => void removeOptOut({ channel, value }).catch(showError));
}

/** Removes an entry. Undo registers the value again, with its source and time. */
export async function removeOptOut({ channel, value }: Address): Promise<void> {
  const query = { channel, value };
  const { entry } = await unwrap(client.DELETE('/messaging/unsubscribes', { params: { query } }));
  await queries.invalidateQueries();
  const undo = entry ? () => void restoreEntries(channel, [{ value, ...entry }]).catch(showError) : undefined;
  showDone(textOf(optOutTexts, 'removed', { count: 1 }), undo);
}

/** Removes entries of one channel. Undo registers them again, with their sources and times. */
export async function removeEntries(channel: Channel, entries: readonly Entry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    const values = entries.slice(from, from + AT_ONCE).map(({ value }) => value);
    await unwrap(client.DELETE('/messaging/unsubscribes/bulk', { body: { channel, values } }));
  }
  await queries.invalidateQueries();
  const undo = () => void restoreEntries(channel, entries).catch(showError);
  showDone(textOf(optOutTexts, 'removed', { count: entries.length }), undo);
}

async function restoreEntries(channel: Channel, entries: readonly Removed[]): Promise<void> {
  for (const method of ['API', '080', 'LINK', 'CSV'] as const) {
    const items = entries
      .filter((entry) => entry.method === method)
      .map(({ value, source, unsubscribedAt }) => ({
        value,
        unsubscribedAt,
        ...(source !== null && { source }),
      }));
    for (let from = 0; from < items.length; from += AT_ONCE) {
      const lot = items.slice(from, from + AT_ONCE);
      if (method === 'API') {
        await unwrap(client.POST('/messaging/unsubscribes/bulk', { body: { channel, items: lot } }));
      } else {
        const query = { channel, method };
        await unwrap(
          client.POST('/messaging/unsubscribes/import', {
            params: { query },
            body: { channel, method, items: lot },
          }),
        );
      }
    }
  }
  await queries.invalidateQueries();
  showDone(textOf(optOutTexts, 'restored', { count: entries.length }));
}

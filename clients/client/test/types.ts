/** Compiled, never run: what editors accept and refuse. */
import {
  type Answer,
  type ErrorCode,
  type Params,
  type Schemas,
  verifyWebhook,
  Waypost,
  WaypostConflict,
  WaypostError,
  type WebhookEvent,
} from '@waypost/client';

const waypost = new Waypost({ baseUrl: 'https://waypost.example.com', apiKey: 'wp_sk_key' });

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_equal: Equal<A, B>) => undefined;

export async function parameters(): Promise<void> {
  await waypost.links.createShortUrl({ url: 'https://a.example/', tags: ['a'], maxClicks: 3 });
  await waypost.links.createShortUrl({ url: 'https://a.example/' }, { timeout: 10, idempotencyKey: 'k' });
  // @ts-expect-error: url is missing
  await waypost.links.createShortUrl({ title: 'A' });
  // @ts-expect-error: the parameters are missing
  await waypost.links.createShortUrl();
  // @ts-expect-error: there is no such field
  await waypost.links.createShortUrl({ url: 'https://a.example/', titel: 'A' });
  // @ts-expect-error: a number
  await waypost.links.createShortUrl({ url: 'https://a.example/', maxClicks: '3' });
  // @ts-expect-error: there is no such option
  await waypost.links.createShortUrl({ url: 'https://a.example/' }, { retries: 3 });
  // @ts-expect-error: id is missing
  await waypost.links.updateShortUrl({ title: 'A' });
  await waypost.links.updateShortUrl({ id: 1, title: null, ifMatch: '"a"' });
  await waypost.links.listShortUrls();
  // @ts-expect-error: there is no such filter
  await waypost.links.listShortUrls({ tags: ['a'] });
  // @ts-expect-error: no such health
  await waypost.links.listShortUrls({ health: 'FINE' });
  await waypost.links.importShortUrls({ file: new Blob([]), dryRun: true });
  // @ts-expect-error: the file is missing
  await waypost.links.importShortUrls({ dryRun: true });
  await waypost.contacts.saveContacts({ items: [{ name: 'A', smsOptIn: true }], returnIds: true });
  // @ts-expect-error: a flag
  await waypost.contacts.saveContacts({ items: [{ smsOptIn: 'yes' }] });
  // @ts-expect-error: the console's
  await waypost.users.listUsers();
  // @ts-expect-error: an operation of another group
  await waypost.campaigns.createShortUrl({ url: 'https://a.example/' });
  // @ts-expect-error: neither a key nor an app
  new Waypost({ apiKey: 'k' });
  same<Params<'getShortUrl'>, { id: number }>(true);
}

export async function answers(): Promise<void> {
  const link = await waypost.links.createShortUrl({ url: 'https://a.example/' });
  same<typeof link, Schemas['ShortUrlResponse']>(true);
  same<Answer<'createShortUrl'>, Schemas['ShortUrlResponse']>(true);
  same<typeof link.shortUrl, string>(true);
  // @ts-expect-error: there is no such field
  same<typeof link.short, string>(true);
  const { content, totalElements } = await waypost.links.listShortUrls();
  same<typeof content, Schemas['ShortUrlResponse'][]>(true);
  same<typeof totalElements, number>(true);
  for await (const each of waypost.links.listShortUrls())
    same<typeof each, Schemas['ShortUrlResponse']>(true);
  for await (const each of waypost.links.listShortUrlClicks({ id: 1 })) {
    same<typeof each, Schemas['ClickResponse']>(true);
  }
  const file = await waypost.links.exportShortUrls();
  same<typeof file, ReadableStream<Uint8Array>>(true);
  same<Answer<'deleteShortUrl'>, undefined>(true);
  const saved = await waypost.contacts.saveContacts({ items: [] });
  // @ts-expect-error: only of an asynchronous request
  same<typeof saved.jobId, number>(true);
  if ('jobId' in saved) same<typeof saved.jobId, number>(true);
}

export function errors(error: unknown): void {
  if (!(error instanceof WaypostError)) return;
  if (error.code === 'ALIAS_TAKEN') same<typeof error.code, 'ALIAS_TAKEN'>(true);
  // @ts-expect-error: there is no such code
  if (error.code === 'ALIAS_TAKN') return;
  if (error instanceof WaypostConflict) same<typeof error.code, ErrorCode>(true);
  same<(typeof error.details)[number]['field'], string>(true);
}

export async function changes(): Promise<void> {
  for await (const change of waypost.unsubscribes.follow('cursor', { channel: 'EMAIL' })) {
    // @ts-expect-error: only of registered ones
    same<typeof change.unsubscribedAt, string>(true);
    if (change.type === 'CREATED') same<typeof change.unsubscribedAt, string>(true);
    else same<typeof change.deletedAt, string>(true);
  }
  for await (const { contact, cursor } of waypost.contacts.follow()) {
    same<typeof cursor, string>(true);
    same<typeof contact, Schemas['ContactResponse'] | null>(true);
  }
  // @ts-expect-error: no such channel
  waypost.unsubscribes.follow(null, { channel: 'FAX' });
}

export async function events(request: Request): Promise<void> {
  const event = await verifyWebhook(await request.text(), request.headers, 'whsec_');
  same<typeof event, WebhookEvent>(true);
  // @ts-expect-error: not of every event
  same<typeof event.data.urlId, number>(true);
  if (event.event === 'link.clicked') same<typeof event.data.urlId, number>(true);
  // @ts-expect-error: there is no such event
  if (event.event === 'link.opened') return;
  // @ts-expect-error: what was parsed
  await verifyWebhook({ event: 'link.clicked' }, request.headers, 'whsec_');
}

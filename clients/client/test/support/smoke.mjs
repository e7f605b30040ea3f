/** What a first user does, on any platform. @prints the address of the link, and what was found */
import {
  signIdentity,
  verifyWebhook,
  version,
  Waypost,
  WaypostConflict,
  WaypostWebhookError,
} from '@waypost/client';

const { API, KEY } = process.env;
const waypost = new Waypost({ baseUrl: API, apiKey: KEY });
const found = [version];

const customAlias = `on-${process.argv[2]}`;
const link = await waypost.links.createShortUrl({ url: 'https://shop.example.com/', customAlias });
try {
  await waypost.links.createShortUrl({ url: 'https://shop.example.com/', customAlias });
} catch (error) {
  if (error instanceof WaypostConflict) found.push(error.code);
}
const file = `url,customAlias\r\nhttps://shop.example.com/a,${customAlias}-a\r\n`;
const { created } = await waypost.links.importShortUrls({ file: new Blob([file]) });
found.push(created);
for (const each of [new Blob([file]).stream(), chunks()]) {
  const { failed } = await waypost.links.importShortUrls({ file: each, dryRun: true });
  found.push(failed);
}
let listed = 0;
for await (const each of waypost.links.listShortUrls({ size: 1 })) listed += Number(each.id > 0);
found.push(listed > 1);
const table = await new Response(await waypost.links.exportShortUrls()).text();
found.push(table.includes(link.shortUrl));

await waypost.unsubscribes.registerUnsubscribe({ value: 'a@b.example', channel: 'EMAIL' });
for await (const change of waypost.unsubscribes.follow(null, { channel: 'EMAIL', wait: false })) {
  found.push(change.value);
}
const ended = new AbortController();
for await (const { type } of waypost.analytics.streamClicks({ urlId: link.id }, { signal: ended.signal })) {
  found.push(type);
  ended.abort();
}

// The test vector of docs/webhooks.md.
const body =
  '{"event":"webhook.test","delivery_id":"01a1f815-7c00-7c4e-9b1a-5f2d8e6c0b17","organization_id":1,"created_at":"2026-11-20T08:32:00Z","data":{"message":"Waypost reaches this endpoint ✓"}}';
const headers = {
  'webhook-id': '01a1f815-7c00-7c4e-9b1a-5f2d8e6c0b17',
  'webhook-timestamp': '1795163520',
  'webhook-signature': 'v1,n0XyV17RIuDyC0Tw21AvIDJvsprXaPICwSjRBG/j5E0=',
};
const secret = 'whsec_d2F5cG9zdCB3ZWJob29rIHRlc3QgdmVjdG9yIGtleSE=';
const now = 1795163520_000;
found.push((await verifyWebhook(body, headers, secret, { now })).event);
await verifyWebhook(`${body} `, headers, secret, { now }).catch((error) => {
  if (error instanceof WaypostWebhookError) found.push(error.code);
});
found.push((await signIdentity('member-1001', 'key')).length);

console.log(JSON.stringify({ url: link.shortUrl, found }));

async function* chunks() {
  yield new TextEncoder().encode(file);
}

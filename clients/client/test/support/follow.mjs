/** A consumer of a feed: writes each change and its cursor to a file, until it is killed. */
import { appendFileSync } from 'node:fs';
import { Waypost } from '@waypost/client';

const [baseUrl, apiKey, feed, file, cursor] = process.argv.slice(2);
const waypost = new Waypost({ baseUrl, apiKey });
for await (const change of waypost[feed].follow(cursor, { interval: 10 })) {
  const { type, id, cursor, contact } = change;
  appendFileSync(file, `${JSON.stringify({ type, id, cursor, name: contact?.name })}\n`);
}

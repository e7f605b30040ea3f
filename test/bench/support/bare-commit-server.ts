import { createServer } from 'node:http';
import { Client } from 'pg';

/*
 * The reference for redirects without Redis: node:http and pg answer a fixed 302 after a group commit, shared by all
 * requests that arrived during the previous one. Nothing is looked up or counted.
 */
interface Waiting {
  at: number;
  userAgent: string;
  answer: () => void;
}

const INSERT = `
  INSERT INTO requests (at, user_agent)
  SELECT to_timestamp(at / 1000::float8), user_agent FROM unnest($1::bigint[], $2::text[]) AS t (at, user_agent)`;

async function main(): Promise<void> {
  const client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  await client.query('CREATE TABLE requests (at timestamptz, user_agent text)');

  let waiting: Waiting[] = [];
  let committing = false;
  async function commitAll(): Promise<void> {
    committing = true;
    while (waiting.length > 0) {
      const taken = waiting;
      waiting = [];
      const values = [`{${taken.map(({ at }) => at).join(',')}}`, taken.map(({ userAgent }) => userAgent)];
      await client.query({ name: 'insert', text: INSERT, values });
      for (const { answer } of taken) answer();
    }
    committing = false;
  }

  createServer((request, response) => {
    const answer = () => {
      response.writeHead(302, {
        Location: 'https://example.com/landing?campaign=autumn',
        'Cache-Control': 'private, no-store',
        'Content-Length': 0,
      });
      response.end();
    };
    waiting.push({ at: Date.now(), userAgent: request.headers['user-agent'] ?? '', answer });
    if (!committing) void commitAll();
  }).listen(Number(process.env.PORT), '127.0.0.1');
}

void main();

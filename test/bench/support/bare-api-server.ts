import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Pool, types } from 'pg';
import { randomBase62 } from '../../../src/common/base62';

/*
 * The reference of the API benchmark: node:http and pg only insert or select one link, and return it as JSON. No key,
 * limit, validation or log, and one statement per transaction.
 */
types.setTypeParser(types.builtins.INT8, Number);
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const organizationId = Number(process.env.ORGANIZATION_ID);

const INSERT = `
  INSERT INTO links (organization_id, code, original_url, title, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $5) RETURNING *`;
const SELECT = 'SELECT * FROM links WHERE id = $1 AND organization_id = $2 AND deleted_at IS NULL';

function send(response: ServerResponse, status: number, row: unknown): void {
  const body = JSON.stringify(row);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

async function create(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { url, title } = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
  const { rows } = await pool.query(INSERT, [organizationId, randomBase62(7), url, title, new Date()]);
  send(response, 201, rows[0]);
}

async function read(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const id = Number(request.url?.slice(request.url.lastIndexOf('/') + 1));
  const { rows } = await pool.query(SELECT, [id, organizationId]);
  send(response, 200, rows[0]);
}

createServer((request, response) => {
  (request.method === 'POST' ? create(request, response) : read(request, response)).catch(
    (error: unknown) => {
      response.writeHead(500).end(String(error));
    },
  );
}).listen(Number(process.env.PORT), '127.0.0.1');

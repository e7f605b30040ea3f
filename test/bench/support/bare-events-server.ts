import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Pool, types } from 'pg';

/*
 * The reference of the events benchmark: node:http and pg only insert the row of one event, and return its id. No key,
 * limit, validation, log, rollups or activity.
 */
types.setTypeParser(types.builtins.INT8, Number);
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const organizationId = Number(process.env.ORGANIZATION_ID);
const appId = Number(process.env.APP_ID);

const INSERT = {
  name: 'insert',
  text: `
    INSERT INTO session_events (organization_id, app_id, session_id, event_type, event_data, client_timestamp,
                                client_timezone, received_at, day)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8::timestamptz::date)
    ON CONFLICT DO NOTHING RETURNING id`,
};

interface Event {
  sessionId: string;
  eventType: string;
  eventData: object;
  clientTimestamp: string;
  clientTimezone: string;
}

async function record(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const event = JSON.parse(Buffer.concat(chunks).toString()) as Event;
  const { sessionId, eventType, eventData, clientTimestamp, clientTimezone } = event;
  const row = [organizationId, appId, sessionId, eventType, eventData, clientTimestamp, clientTimezone];
  const { rows } = await pool.query<{ id: number }>({ ...INSERT, values: [...row, new Date()] });
  const body = JSON.stringify({ success: true, eventId: rows[0]?.id, sessionId, eventType });
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

createServer((request, response) => {
  if (request.method !== 'POST') response.end();
  else record(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
}).listen(Number(process.env.PORT), '127.0.0.1');

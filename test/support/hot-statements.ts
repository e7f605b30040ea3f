import { Client } from 'pg';
import type { TestApp } from './test-app';

/** A statement as sent by the service. */
interface Sent {
  text: string;
  values: unknown[];
}

/** A statement, with the number of shards of each part that Citus executes separately. */
export interface Explained {
  text: string;
  tasks: number[];
}

type Query = (this: Client, ...given: unknown[]) => unknown;

/**
 * Records statements sent to Postgres. Call it where hooks are declared, before `useTestApp`, because connections keep
 * the method that they find.
 * @returns a function that runs `work` and returns the distinct statements sent meanwhile
 */
export function recordStatements(): (work: () => Promise<unknown>) => Promise<Sent[]> {
  const prototype = Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  let sent: Map<string, Sent> | undefined;
  beforeAll(() => {
    prototype.query = function (first, second, ...rest) {
      const config = (typeof first === 'object' ? first : { text: first }) as Partial<Sent>;
      const values = config.values ?? (Array.isArray(second) ? (second as unknown[]) : []);
      const { text } = config;
      if (text !== undefined && /^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/i.test(text)) {
        sent?.set(text, { text, values: [...values] });
      }
      return query.call(this, first, second, ...rest);
    };
  });
  afterAll(() => {
    prototype.query = query;
  });
  return async (work) => {
    const recorded = (sent = new Map<string, Sent>());
    try {
      await work();
    } finally {
      sent = undefined;
    }
    return [...recorded.values()];
  };
}

/** Explains the statements on Citus, as prepared ones with their parameters. Those that access no shard are omitted. */
export async function explain(app: TestApp, statements: readonly Sent[]): Promise<Explained[]> {
  const client = new Client({ connectionString: app.database.url });
  await client.connect();
  const explained: Explained[] = [];
  try {
    for (const { text, values } of statements) {
      const tasks = await tasksOf(client, text, values);
      if (tasks.length > 0) explained.push({ text: text.replace(/\s+/g, ' ').trim(), tasks });
    }
  } finally {
    await client.end();
  }
  return explained;
}

async function tasksOf(client: Client, text: string, values: unknown[]): Promise<number[]> {
  const given = values.map((value) => literalOf(client, value)).join(', ');
  const execute = `EXECUTE hot ${given && `(${given})`}`;
  await client.query(`PREPARE hot AS ${text}`);
  try {
    const { rows } = await client.query<Record<string, unknown>>(`EXPLAIN (FORMAT JSON) ${execute}`);
    return taskCounts(rows[0]);
  } catch (error) {
    // Citus cannot explain an INSERT from a CTE with another INSERT.
    if (!(error instanceof Error && error.message === 'could not create distributed plan')) throw error;
    return await countTasks(client, execute);
  } finally {
    await client.query('DEALLOCATE hot');
  }
}

/** Runs a statement and rolls it back. @returns the number of accessed shards per table */
async function countTasks(client: Client, execute: string): Promise<number[]> {
  const shards = new Map<string, Set<string>>();
  const note = ({ message = '' }: { message?: string }) => {
    for (const [, table = '', shard = ''] of message.matchAll(/\bpublic\.(\w+)_(\d{6,})\b/g)) {
      shards.set(table, (shards.get(table) ?? new Set()).add(shard));
    }
  };
  client.on('notice', note);
  await client.query('BEGIN');
  await client.query(`SET LOCAL citus.log_remote_commands = on; SET LOCAL client_min_messages = 'log'`);
  await client.query(execute).finally(() => client.query('ROLLBACK'));
  client.off('notice', note);
  return [...shards.values()].map(({ size }) => size);
}

/** A parameter in the form in which pg sends it. */
function literalOf(client: Client, value: unknown): string {
  return value === null || value === undefined ? 'NULL' : client.escapeLiteral(textOf(value));
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) {
    const elements = value.map((each) => (each === null ? 'NULL' : JSON.stringify(textOf(each))));
    return `{${elements.join(',')}}`;
  }
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function taskCounts(plan: unknown): number[] {
  if (typeof plan !== 'object' || plan === null) return [];
  return Object.entries(plan).flatMap(([key, value]) =>
    key === 'Task Count' ? [Number(value)] : taskCounts(value),
  );
}

import type { DataSource } from 'typeorm';
import { Encryption } from '../../src/common/crypto/encryption';
import { SystemClock } from '../../src/common/time/clock';
import { parseEncryptionKeys } from '../../src/config/encryption-keys';
import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { BlindIndexes } from '../../src/infrastructure/encryption/blind-indexes';
import { EncryptedColumns } from '../../src/infrastructure/encryption/encrypted-columns';
import { KeyCheck } from '../../src/infrastructure/encryption/key-check';
import { type Contact, newContact } from '../../src/modules/contacts/contact';
import { ContactCells } from '../../src/modules/contacts/bulk/contact-cells';
import { WRITTEN_COLUMNS } from '../../src/modules/contacts/contact-row';
import { ContactsRepository } from '../../src/modules/contacts/contacts.repository';
import { makeApiKey } from './support/api-key';
import { BENCH_KEYS, BenchProcess } from './support/processes';
import { benchPostgres, benchRedis, loadLinks } from './support/stores';
import { median } from './support/wrk';
import { databaseOf } from '../support/database-of';

/*
 * Measures contacts: a bulk request of a thousand against a bare upsert of as many already encrypted rows in one
 * statement; then look-ups, searches and lists among a million contacts.
 */
const BOOK = Number(process.env.BENCH_CONTACTS ?? 1_000_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const READS = Number(process.env.BENCH_READS ?? 200);
const BATCH = 5_000;
const BULK = 1_000;
const REDIS_PORT = 26_383;
const PORT = 23_021;
const GOALS = { ratio: 0.3, p95: 50 };

const FAMILY = ['Kim', 'Lee', 'Park', 'Choi', 'Jung', 'Kang', 'Cho', 'Yoon', 'Jang', 'Lim'];
const SYLLABLES = [
  'min',
  'ji',
  'seo',
  'yeon',
  'ha',
  'eun',
  'joon',
  'woo',
  'soo',
  'bin',
  'hye',
  'jin',
  'tae',
  'hyun',
  'kyu',
];
const DOMAINS = ['gmail.com', 'naver.com', 'daum.net', 'kakao.com', 'outlook.com'];

const of = (words: readonly string[], n: number) => words[n % words.length] ?? '';
/** Spreads numbers over all contacts without repetition. */
const spread = (n: number) => (n * 7_919) % BOOK;

const phoneOf = (n: number) => `+8210${String(20_000_000 + n)}`;
/** One in ten has a company's domain. */
const domainOf = (n: number) => (n % 10 === 9 ? `company-${n % 20_000}.example` : of(DOMAINS, n));
const emailOf = (n: number) => `member.${n}@${domainOf(n)}`;
const nameOf = (n: number) =>
  `${of(FAMILY, n)} ${of(SYLLABLES, n >> 3)}${of(SYLLABLES, n >> 7)} ${of(SYLLABLES, n >> 11)}${of(SYLLABLES, n >> 15)}`;

const requestOf = (n: number) => ({
  externalUserId: `member-${n}`,
  name: nameOf(n),
  phoneNumber: phoneOf(n),
  email: emailOf(n),
  pushIdentify: `push-${n}`,
  pushOptIn: n % 3 === 0,
  smsOptIn: n % 5 === 0,
  tags: ['vip'],
  customFields: { grade: 'gold', visits: n },
});

function contactOf(organizationId: number, id: number, n: number): Contact {
  const { customFields, ...fields } = requestOf(n);
  const at = new Date(Date.UTC(2026, 0, 1) + n * 1_000);
  const contact = newContact(organizationId, id, 'API', at);
  return { ...contact, ...fields, customFields: { ...customFields, visits: String(n) } };
}

async function makeCells(database: DataSource): Promise<ContactCells> {
  const encryption = new Encryption(parseEncryptionKeys(BENCH_KEYS));
  const columns = new EncryptedColumns();
  const keys = new KeyCheck(databaseOf(database), encryption, new SystemClock());
  const indexes = new BlindIndexes(databaseOf(database), encryption, keys, columns);
  await indexes.onModuleInit();
  return new ContactCells(encryption, indexes, columns);
}

async function loadBook(database: DataSource, cells: ContactCells, organizationId: number): Promise<void> {
  const repository = new ContactsRepository(databaseOf(database), cells);
  const transactions = databaseOf(database);
  for (let start = 0; start < BOOK; start += BATCH) {
    await transactions.write(async (tx) => {
      const ids = await repository.reserveIds(tx, Math.min(BATCH, BOOK - start));
      await repository.insert(
        tx,
        ids.map((id, i) => contactOf(organizationId, id, start + i)),
      );
    });
  }
  await database.query(
    `INSERT INTO contact_groups (organization_id, name, is_default, created_at, updated_at)
     VALUES ($1, 'Default', true, now(), now())`,
    [organizationId],
  );
  await database.query(
    `INSERT INTO contact_group_members (organization_id, group_id, contact_id)
     SELECT g.organization_id, g.id, c.id FROM contact_groups AS g JOIN contacts AS c USING (organization_id)`,
  );
  await database.query('VACUUM ANALYZE contacts, contact_group_members, contact_counts');
}

/** The reference: one statement, one commit, prepared rows. */
async function bareUpsert(database: DataSource, rows: string): Promise<number> {
  const columns = WRITTEN_COLUMNS.join(', ');
  const changes = WRITTEN_COLUMNS.filter(
    (column) => !['organization_id', 'id', 'created_at'].includes(column),
  );
  const startedAt = performance.now();
  await database.query(
    `INSERT INTO contacts (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::contacts, $1::json)
     ON CONFLICT (organization_id, external_user_id) WHERE external_user_id IS NOT NULL
     DO UPDATE SET ${changes.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    [rows],
  );
  return performance.now() - startedAt;
}

class Client {
  constructor(
    private readonly server: BenchProcess,
    private readonly apiKey: string,
  ) {}

  async time(path: string, body?: string): Promise<{ ms: number; answer: Record<string, unknown> }> {
    const startedAt = performance.now();
    const response = await fetch(`${this.server.url}/api/v1/service/messaging/contacts${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'X-API-KEY': this.apiKey, 'Content-Type': 'application/json' },
      body,
    });
    const answer = (await response.json()) as Record<string, unknown>;
    const ms = performance.now() - startedAt;
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return { ms, answer };
  }
}

async function benchBulk(
  database: DataSource,
  cells: ContactCells,
  client: Client,
  organizationId: number,
): Promise<void> {
  const results: { bare: number; waypost: number }[] = [];
  for (let round = -2; round < ROUNDS; round++) {
    const first = BOOK + (round + 2) * 2 * BULK;
    const ids = await database.query<{ id: number }[]>(
      `SELECT nextval('contact_ids') AS id FROM generate_series(1, ${BULK})`,
    );
    const rows = ids.map(({ id }, i) => cells.seal(contactOf(organizationId, id, first + i)));
    const bare = await bareUpsert(database, JSON.stringify(rows));
    const body = JSON.stringify(Array.from({ length: BULK }, (_, i) => requestOf(first + BULK + i)));
    const { ms: waypost, answer } = await client.time('/bulk', body);
    if (answer.created !== BULK) throw new Error(JSON.stringify(answer));
    // The first rounds warm up.
    if (round >= 0) results.push({ bare, waypost });
  }
  const ratio = median(results.map(({ bare, waypost }) => bare / waypost));
  console.log(`bulk of ${BULK}, bare upsert: ${median(results.map(({ bare }) => bare)).toFixed(0)} ms`);
  console.log(
    `bulk of ${BULK}, Waypost: ${median(results.map(({ waypost }) => waypost)).toFixed(0)} ms, ratio ${ratio.toFixed(2)}`,
  );
  judge('bulk', ratio >= GOALS.ratio, `the ratio of ${GOALS.ratio}`);
}

function judge(what: string, reached: boolean, goal: string): void {
  console.log(`${what}: ${reached ? 'reaches' : 'MISSES'} ${goal}`);
  if (!reached) process.exitCode = 1;
}

const query = (parameters: Record<string, string | number | boolean>) => {
  const texts = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `?${texts.join('&')}`;
};

/** The nth query of each kind of read. */
const READERS: Readonly<Record<string, (n: number) => string>> = {
  'by-phone': (n) => `/by-phone${query({ phone: phoneOf(spread(n)) })}`,
  'by-email': (n) => `/by-email${query({ email: emailOf(spread(n)) })}`,
  'list, first pages': (n) => query({ page: n % 50 }),
  'list, narrowed': (n) =>
    query({ page: n % 50, pushOptIn: n % 2 === 0, smsOptIn: n % 3 === 0, origin: 'API' }),
  'keyword: whole name': (n) => query({ keyword: nameOf(spread(n)) }),
  'keyword: phone number': (n) => query({ keyword: phoneOf(spread(n)) }),
  'keyword: last 4 digits': (n) => query({ keyword: phoneOf(spread(n)).slice(-4) }),
  'keyword: e-mail address': (n) => query({ keyword: emailOf(spread(n)) }),
  'keyword: local part': (n) => query({ keyword: `member.${spread(n)}` }),
  'keyword: domain of a company': (n) =>
    query({ keyword: `company-${(spread(n) % 2_000) * 10 + 9}.example` }),
  'keyword: given name': (n) => query({ keyword: nameOf(spread(n)).split(' ').slice(1).join(' ') }),
  'keyword: family name (a tenth)': (n) => query({ keyword: of(FAMILY, n) }),
  'keyword: large domain (a fifth)': (n) => query({ keyword: of(DOMAINS, n) }),
  'keyword: one letter (most)': (n) => query({ keyword: of(['a', 'e', 'i', 'o', 'n'], n) }),
};

async function benchReads(client: Client): Promise<void> {
  const keyword: number[] = [];
  for (const [name, path] of Object.entries(READERS)) {
    const times: number[] = [];
    for (let n = -20; n < READS; n++) {
      const { ms } = await client.time(path(n + 1_000));
      if (n >= 0) times.push(ms);
    }
    if (name.startsWith('keyword')) keyword.push(...times);
    const p95 = percentile(times, 0.95);
    console.log(`${name}: p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
    judge(name, p95 <= GOALS.p95, `p95 of ${GOALS.p95} ms`);
  }
  console.log(`all keywords: p95 ${percentile(keyword, 0.95).toFixed(1)} ms`);
}

function percentile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? NaN;
}

async function main(): Promise<void> {
  const postgres = await benchPostgres();
  const redis = await benchRedis(REDIS_PORT);
  const url = await postgres.database('bench_contacts');
  const database = await connectDataSource(url, 4);
  await database.query('SET statement_timeout = 0');
  const organizationId = await loadLinks(database, 1);
  await database.query(`UPDATE organizations SET default_region = 'KR'`);
  await database.query(
    `INSERT INTO add_ons (organization_id, code, created_at) VALUES ($1, 'MESSAGING', now())`,
    [organizationId],
  );
  await database.query(
    `INSERT INTO ip_allow_list (organization_id, cidr, created_at) VALUES ($1, '127.0.0.0/8', now())`,
    [organizationId],
  );
  const apiKey = await makeApiKey(database, organizationId);
  const cells = await makeCells(database);
  const startedAt = performance.now();
  await loadBook(database, cells, organizationId);
  console.log(`${BOOK} contacts loaded in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);

  const server = await BenchProcess.waypost(PORT, { databaseUrl: url, redisUrl: redis.url });
  const client = new Client(server, apiKey);
  await benchReads(client);
  await benchBulk(database, cells, client, organizationId);
  await server.stop();
  await database.destroy();
  await redis.stop();
  await postgres.stop();
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});

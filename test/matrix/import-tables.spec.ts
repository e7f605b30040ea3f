import { csvParts, readCsvFile } from '../../console/src/kit/csv-import/csv-file';
import { namesOfPlainList } from '../../src/modules/unsubscribes/import/unsubscribe-columns';
import { dressed, type DressedTable, type Row, type TableKind } from '../support/dressed-tables';
import { consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { pick, type Random, seeded } from '../support/random';
import { useTestApp } from '../support/test-app';
import { phone, UnsubscribeClient } from '../support/unsubscribes';

/** Tables of each run; `IMPORT_TABLES=2000` for a long one. */
const TABLES = Number(process.env.IMPORT_TABLES ?? 36);
const SEED = Number(process.env.IMPORT_SEED ?? 1);
/** Of the console (csv-import.ts). */
const PART = { rows: 500, characters: 1 << 19 };
const MAX_ERRORS = 1_000;

const TEXTS = ['Spring', 'Größe "L"', 'two\nlines', 'a, b; c', '한글\t탭', "it's", '5" disc', '=1+1', '- x'];
const TAGS = ['sale', 'spring time', '한', 'x-1'];

interface Kind extends TableKind {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** What is stored, as rows like those of the table; comparable. */
  stored(org: TestOrganization): Promise<string[]>;
  /** A row as `stored` has it; null for one that fails. */
  expected(row: Row): string | null;
  headerOf?(first: readonly string[]): readonly string[] | null;
}

interface Failed {
  readonly line: number;
  readonly values: Readonly<Record<string, string>>;
}

interface Answer {
  readonly ignoredColumns?: readonly string[];
  readonly errors?: readonly Failed[];
  readonly invalid?: readonly Failed[];
}

/** What came of a file. */
interface Result {
  readonly stored: readonly string[];
  readonly failed: readonly Failed[];
  readonly ignored: readonly string[];
}

describe('tables in every dress', () => {
  const app = useTestApp();

  beforeEach(() => app.clock.set('2026-11-20T08:32:00Z'));

  const kinds: Record<string, Kind> = {
    links: {
      path: '/urls/import',
      query: {},
      columns: {
        url: ['url', 'longUrl', 'destination', 'targetUrl'],
        title: ['title', 'linkTitle'],
        tags: ['tags', 'labels'],
        createdAt: ['createdAt', 'dateCreated'],
        utmSource: ['utmSource'],
      },
      free: 'title',
      row: (random, n) => ({
        url: random() < 0.05 ? 'ftp://x' : `https://shop.example.com/?n=${n},-1;=2`,
        title: random() < 0.3 ? '' : textOf(random, n),
        tags: TAGS.filter(() => random() < 0.4),
        createdAt: random() < 0.5 ? '2024-05-01 10:00:00+00' : '',
        utmSource: random() < 0.5 ? 's' : '',
      }),
      expected: ({ url, title, tags, createdAt, utmSource }) =>
        url === 'ftp://x'
          ? null
          : JSON.stringify([url, title || null, tags, createdAt !== '', utmSource === '' ? null : utmSource]),
      stored: async ({ organizationId }) => {
        const rows = await app.sql<Record<string, unknown> & { created_at: Date }>(
          'SELECT * FROM links WHERE organization_id = $1',
          [organizationId],
        );
        return rows.map(({ original_url: url, title, tags, created_at: at, utm_source: source }) =>
          JSON.stringify([url, title, tags, new Date(at).getUTCFullYear() === 2024, source]),
        );
      },
    },
    contacts: {
      path: '/messaging/contacts/import',
      query: {},
      columns: {
        externalUserId: ['externalUserId', 'externalId', 'customerId'],
        name: ['name', 'fullName'],
        phoneNumber: ['phoneNumber', 'phone', 'mobile'],
        email: ['email', 'E-Mail', 'emailAddress'],
        tags: ['tags'],
      },
      free: 'name',
      row: (random, n) => ({
        externalUserId: `m-${n}`,
        name: random() < 0.3 ? '' : textOf(random, n),
        phoneNumber: random() < 0.05 ? '010-1' : random() < 0.5 ? phone(n) : '',
        email: random() < 0.5 ? `m${n}@example.com` : '',
        tags: TAGS.filter(() => random() < 0.4),
      }),
      expected: ({ externalUserId, name, phoneNumber, email, tags }) =>
        phoneNumber === '010-1'
          ? null
          : JSON.stringify([externalUserId, name || null, phoneNumber || null, email || null, tags]),
      stored: async (org) => {
        const pages: Record<string, unknown>[] = [];
        for (let page = 0; ; page++) {
          const { body } = await org.api
            .get('/api/v1/service/messaging/contacts', { size: 100, page })
            .expect(200);
          pages.push(...body.content);
          if (pages.length >= body.totalElements) break;
        }
        return pages.map(({ externalUserId, name, phoneNumber, email, tags }) =>
          JSON.stringify([externalUserId, name, phoneNumber, email, tags]),
        );
      },
    },
    'opt-outs': {
      path: '/messaging/unsubscribes/import',
      query: { channel: 'SMS' },
      columns: {
        value: ['value', 'phone', 'phoneNumber', 'mobile'],
        source: ['source'],
        unsubscribedAt: ['unsubscribedAt', 'optOutDate'],
      },
      free: 'source',
      row: (random, n) => ({
        value: random() < 0.05 ? 'nobody' : phone(n),
        source: random() < 0.4 ? '' : textOf(random, n),
        unsubscribedAt: random() < 0.4 ? '' : '2026-01-02',
      }),
      expected: ({ value, source, unsubscribedAt }) =>
        value === 'nobody'
          ? null
          : JSON.stringify([
              value,
              source === '' ? null : source,
              unsubscribedAt === '' ? '2026-11-20T08:32:00Z' : '2026-01-02T00:00:00Z',
            ]),
      stored: async (org) => {
        const items: Record<string, unknown>[] = [];
        const feed = new UnsubscribeClient(org);
        for (let cursor: string | undefined; ;) {
          const page = await feed.list(cursor, 1_000);
          items.push(...page.items);
          cursor = page.nextCursor;
          if (!page.hasMore) break;
        }
        return items.map(({ value, source, unsubscribedAt }) =>
          JSON.stringify([value, source, unsubscribedAt]),
        );
      },
      headerOf: (first) => namesOfPlainList(first, 'SMS'),
    },
  };

  const send = async (org: TestOrganization, { path, query }: Kind, body: Buffer | string, gzipped = false) =>
    consoleApi(app)
      .post(`/api/v1/console/organizations/${org.organizationId}${path}`)
      .query({ ...query, maxErrors: MAX_ERRORS })
      .set({ 'Content-Type': 'text/csv', ...(gzipped && { 'Content-Encoding': 'gzip' }) })
      .serialize((text: unknown) => text as string)
      .send(body as never);

  const byApi = async (kind: Kind, { sent, gzipped }: DressedTable) => {
    const org = await createOrganization(app, { defaultRegion: 'KR', allowList: ['127.0.0.0/8'] });
    const { status, body } = await send(org, kind, sent, gzipped);
    expect([200, 400]).toContain(status);
    const answer = body as Answer & { created?: number; imported?: { accepted: number } };
    const stored = await kind.stored(org);
    const counted = answer.created ?? answer.imported?.accepted;
    if (status === 400 && counted !== undefined) expect(counted).toBe(stored.length);
    return { status, ...resultOf(stored, answer, (line) => line) };
  };

  /** As the console does, whose file is what a browser reads. */
  const byConsole = async (kind: Kind, { readable }: DressedTable): Promise<Result> => {
    const org = await createOrganization(app, { defaultRegion: 'KR', allowList: ['127.0.0.0/8'] });
    const file = await readCsvFile(
      new Blob([new Uint8Array(readable)]),
      (first) => kind.headerOf?.(first) ?? null,
    );
    const failed: Failed[] = [];
    let ignored: readonly string[] = [];
    for (const part of csvParts(file, PART)) {
      const { status, body } = await send(org, kind, part.body);
      if (status !== 200) break;
      const result = resultOf([], body as Answer, (line) => part.rowAt(line)?.line ?? 0);
      failed.push(...result.failed);
      ignored = result.ignored;
    }
    return { stored: (await kind.stored(org)).sort(), failed, ignored };
  };

  it.each(Object.keys(kinds))(
    'of %s are stored the same, whether the API reads the file or the console sends it',
    async (name) => {
      const kind = kinds[name] as Kind;
      const random = seeded(SEED * 1_000 + name.length);
      for (let n = 0; n < TABLES / 3; n++) {
        const table = dressed(random, kind);
        const [api, console] = [await byApi(kind, table), await byConsole(kind, table)];
        const about = (found: unknown) => [table.dress, found];
        if (table.cut === 'gzip') {
          // The row in which the body breaks off is not read, though a file would end there.
          expect(about(api.status)).toEqual(about(400));
          expect(about(console.stored.length - api.stored.length)).toEqual(
            about(console.stored.length === api.stored.length ? 0 : 1),
          );
          // The partial row may contain the id of another row, which the console then updates.
          const changed = api.stored.filter((row) => !console.stored.includes(row));
          expect(about(changed.slice(1))).toEqual(about([]));
          continue;
        }
        expect(about(api.stored)).toEqual(about(console.stored));
        if (api.status !== 200) continue;
        expect(about(api.failed)).toEqual(about(console.failed));
        expect(about(api.ignored)).toEqual(about(console.ignored));
        if (table.cut !== 'no') continue;
        const expected = table.rows.flatMap((row) => kind.expected(row) ?? []);
        expect(about(api.stored)).toEqual(about(expected.sort()));
        expect(about(api.ignored)).toEqual(about(table.ignored));
        expect(about(api.failed.length)).toEqual(
          about(Math.min(MAX_ERRORS, table.rows.length - expected.length)),
        );
      }
    },
    Math.max(120_000, TABLES * 3_000),
  );
});

function resultOf(stored: readonly string[], answer: Answer, lineOf: (line: number) => number): Result {
  const failed = answer.errors ?? answer.invalid ?? [];
  return {
    stored: [...stored].sort(),
    failed: failed.map(({ line, values }) => ({ line: lineOf(line), values })),
    ignored: answer.ignoredColumns ?? [],
  };
}

function textOf(random: Random, n: number): string {
  const text = pick(
    random,
    TEXTS.map((each) => [1, each] as const),
  );
  return `${text} ${n}`;
}

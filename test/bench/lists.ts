import type { Config } from '../../src/config/config';
import { DataSource, type EntityManager } from 'typeorm';
import { SystemClock } from '../../src/common/time/clock';
import { dataSourceOptions } from '../../src/infrastructure/database/data-source';
import { Database } from '../../src/infrastructure/database/database';
import { directly } from '../../src/infrastructure/database/database-address';
import { Tx } from '../../src/infrastructure/database/tx';
import { DomainUses } from '../../src/modules/domains/domain-uses';
import { LinkListQuery } from '../../src/modules/links/link-list.query';
import { Link } from '../../src/modules/links/link.entity';
import type { ListLinksQuery } from '../../src/modules/links/links.dto';
import { LinksRepository } from '../../src/modules/links/links.repository';
import { TrackedLinkListQuery } from '../../src/modules/tracked-links/list/tracked-link-list.query';
import type { TrackedLinkSearch } from '../../src/modules/tracked-links/list/tracked-link-search';
import { makeApiKey } from './support/api-key';
import { loadListedLinks } from './support/listed-links';
import { BenchProcess } from './support/processes';
import { type BenchStores, runBench } from './support/stores';
import { median } from './support/wrk';

/*
 * Measures lists of links: each order and each filter, of one of two organizations with 100,000 links each. For every
 * statement, the time and buffers of EXPLAIN (ANALYZE, BUFFERS); then the whole request over HTTP.
 */
const LINKS = Number(process.env.BENCH_LINKS ?? 100_000);
const READS = Number(process.env.BENCH_READS ?? 20);
const PORT = 23_041;

type Query = Partial<ListLinksQuery>;

const SORTS = ['createdAt', 'updatedAt', 'expiresAt', 'clickCount', 'alias', 'title'].flatMap((field) => [
  `${field},asc`,
  `${field},desc`,
]);

const FILTERS: readonly Query[] = [
  { archived: 'true' },
  { enabled: false },
  { enabled: true },
  { createdAfter: '2026-01-01' },
  { expired: true },
  { expired: false },
  { expiresAfter: '2026-06-01', expiresBefore: '2026-06-07' },
  { appId: 1 },
  { customDomainId: '1' },
  { customDomainId: 'default' },
  { utmCampaign: 'campaign-7' },
  { createdBy: 7 },
  { health: 'unhealthy' },
  { health: 'unknown' },
  { tag: ['tag-7'] },
  { tag: ['tag-7', 'even'] },
  { keyword: '12345' },
  { appId: 1, customDomainId: '1', sort: 'updatedAt,desc' },
  { utmCampaign: 'campaign-7', sort: 'clickCount,desc' },
  { tag: ['even'], expired: false, enabled: true, sort: 'title,asc' },
];

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

interface Explained {
  ms: number;
  blocks: number;
  scans: string[];
}

class ExplainingTx extends Tx {
  constructor(
    manager: EntityManager,
    private readonly explained: Explained[],
  ) {
    super(manager);
  }

  override async query<Row = unknown>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const [row] = await super.query<{ 'QUERY PLAN': [{ Plan: Plan; 'Execution Time': number }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
      parameters,
    );
    const [explained] = row?.['QUERY PLAN'] ?? [];
    if (explained) {
      this.explained.push({
        ms: explained['Execution Time'],
        blocks: explained.Plan['Shared Hit Blocks'] + explained.Plan['Shared Read Blocks'],
        scans: [...new Set(scansOf(explained.Plan))],
      });
    }
    return super.query<Row>(sql, parameters);
  }
}

/** A database whose snapshots explain every statement. */
class ExplainingDatabase extends Database {
  readonly explained: Explained[] = [];

  override snapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return super.snapshot(({ manager }) => work(new ExplainingTx(manager, this.explained)));
  }
}

/** The scans of links, without the look-ups of the rows that are shown. */
function scansOf(plan: Plan): string[] {
  const name = plan['Index Name'];
  const isScan =
    (name ?? plan['Relation Name'] ?? '').startsWith('links') && plan['Node Type'] !== 'Bitmap Heap Scan';
  const own = isScan && name !== 'links_pkey' ? [`${plan['Node Type']}${name ? ` ${name}` : ''}`] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)];
}

const format = ({ ms, blocks, scans }: Explained) =>
  `${ms.toFixed(1)} ms, ${blocks} blocks (${scans.join(', ')})`;

async function main(stores: BenchStores): Promise<void> {
  const { url, database } = await stores.database('bench_lists');
  const organizationId = await loadListedLinks(database, LINKS);
  await loadListedLinks(database, LINKS);
  await database.query('VACUUM ANALYZE');
  const apiKey = await makeApiKey(database, organizationId);

  const dataSource = await new DataSource({
    ...dataSourceOptions({ url }, 2),
    entities: [Link],
  }).initialize();
  const explaining = new ExplainingDatabase(dataSource, directly(url));
  const noSearch = { of: () => Promise.resolve(null) } as unknown as TrackedLinkSearch;
  const lists = new LinkListQuery(
    new TrackedLinkListQuery(explaining, { shortUrlBase: 'https://go.example.com' } as Config),
    new LinksRepository(dataSource.getRepository(Link), explaining, new DomainUses()),
    noSearch,
    new SystemClock(),
  );
  const server = await BenchProcess.waypost(PORT, { databaseUrl: url, redisUrl: await stores.redis() });

  for (const query of [...SORTS.map((sort): Query => ({ sort })), ...FILTERS]) {
    const name = Object.entries(query)
      .map(([field, value]) => `${field}=${String(value)}`)
      .join('&');
    if (query.keyword === undefined) {
      explaining.explained.splice(0);
      const { total } = await lists.run(organizationId, {
        page: 0,
        size: 20,
        sort: 'createdAt,desc',
        ...query,
      });
      const [count, page] = explaining.explained;
      if (count)
        console.log(`${name}: ${total} links; count ${format(count)}; page ${page ? format(page) : 'none'}`);
    }
    const times: number[] = [];
    for (let i = 0; i < READS; i++) times.push(await timeOf(server, apiKey, query));
    times.sort((a, b) => a - b);
    const p95 = times[Math.ceil(times.length * 0.95) - 1] ?? NaN;
    console.log(`${name}: over HTTP p50 ${median(times).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`);
  }
  await server.stop();
  await dataSource.destroy();
  await explaining.onApplicationShutdown();
}

async function timeOf(server: BenchProcess, apiKey: string, query: Query): Promise<number> {
  const parameters = new URLSearchParams();
  for (const [field, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) parameters.append(field, String(each));
  }
  const startedAt = performance.now();
  const response = await fetch(`${server.url}/api/v1/service/urls?${parameters.toString()}`, {
    headers: { 'X-API-KEY': apiKey },
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${body}`);
  return performance.now() - startedAt;
}

runBench(main);

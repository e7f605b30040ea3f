import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { Encryption } from '../../../src/common/crypto/encryption';
import { SystemClock } from '../../../src/common/time/clock';
import type { DayRange } from '../../../src/common/date-range';
import { readConfig } from '../../../src/config/config';
import { CompactedMonths } from '../../../src/infrastructure/database/compacted-months';
import { Tx } from '../../../src/infrastructure/database/tx';
import { EncryptedColumns } from '../../../src/infrastructure/encryption/encrypted-columns';
import { WakeUpQueue } from '../../../src/infrastructure/jobs/wake-up-queue';
import { RedisStore } from '../../../src/infrastructure/redis/redis';
import { AppPageClicks } from '../../../src/modules/attribution/tokens/app-page-clicks';
import { ClickEffects } from '../../../src/modules/click-statistics/counting/click-effects';
import { ClickEvents } from '../../../src/modules/click-statistics/counting/click-events';
import { LiveAnnouncements } from '../../../src/modules/click-statistics/counting/live-announcements';
import { ClickMetrics } from '../../../src/modules/clicks/observation/click-metrics';
import { ClickIngest } from '../../../src/modules/click-statistics/counting/click-ingest';
import { ClickPartitions } from '../../../src/modules/click-statistics/counting/click-partitions';
import { ClickEnricher } from '../../../src/modules/click-statistics/counting/click-enricher';
import { CampaignCustomers } from '../../../src/modules/click-statistics/counting/campaign-customers';
import { CustomerRollups } from '../../../src/modules/click-statistics/customers/customer-rollups';
import { ClickRollups } from '../../../src/modules/click-statistics/rollups/click-rollups';
import { LocalVisits } from '../../../src/modules/click-statistics/counting/local-visits';
import { VisitorRollups } from '../../../src/modules/click-statistics/rollups/visitor-rollups';
import type { Click } from '../../../src/modules/clicks/click';
import { DedupLocks } from '../../../src/modules/clicks/dedup-locks';
import { Countries } from '../../../src/modules/clicks/visitor-facts';
import { Visitors } from '../../../src/modules/clicks/visitors';
import { SessionWebhooks } from '../../../src/modules/sessions/events/session-webhooks';
import { SessionRollups } from '../../../src/modules/sessions/rollups/session-rollups';
import { SessionsRepository } from '../../../src/modules/sessions/sessions.repository';
import { WebhookOutbox } from '../../../src/modules/webhooks/outbox/webhook-outbox';
import { databaseOf } from '../../support/database-of';

const BATCH = 20_000;
export const DAY_MS = 86_400_000;

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 14; SM-S928B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
];
const REFERRERS = 200;

/** A random number below `n`, skewed to small ones, like the distribution of referrers and browsers. */
function skewed(n: number): number {
  return Math.floor(n * Math.random() ** 3);
}

let nextId = 1_000_000_000;

export function makeClick(trackedLinkId: number, at: number): Click {
  const referrer = skewed(REFERRERS);
  return {
    id: nextId++,
    at,
    kind: 'link',
    trackedLinkId,
    organizationId: 1,
    appIds: [],
    ip: `${1 + skewed(223)}.${skewed(250)}.${skewed(10)}.7`,
    userAgent: AGENTS[skewed(AGENTS.length)] ?? '',
    referrer: referrer === 0 ? null : `https://site-${referrer}.example/page`,
    tracker: null,
    customId: null,
    utm: null,
    dedup: null,
    appPage: null,
  };
}

export async function makeIngest(
  dataSource: DataSource,
): Promise<{ ingest: ClickIngest; months: CompactedMonths }> {
  const database = databaseOf(dataSource);
  const countries = new Countries(readConfig({}));
  await countries.onModuleInit();
  const months = new CompactedMonths(database, new SystemClock());
  const visitors = new Visitors(database);
  const enricher = new ClickEnricher(
    countries,
    visitors,
    new CampaignCustomers(database, new SystemClock()),
    new LocalVisits(database, visitors),
  );
  const config = readConfig({});
  const clock = new SystemClock();
  const outbox = new WebhookOutbox(
    database,
    new Encryption([{ id: 'bench', key: randomBytes(32) }]),
    clock,
    new WakeUpQueue(null, RedisStore.connect(config), { works: false, once: false }),
    new EncryptedColumns(),
  );
  // Without subscribers, links are never looked up.
  const targets = { find: () => Promise.resolve([]) };
  const effect = new AppPageClicks(
    visitors,
    new SessionsRepository(database),
    new SessionRollups(database, months),
    new SessionWebhooks(outbox),
  );
  await effect.onModuleInit();
  const ingest = new ClickIngest(
    enricher,
    new ClickPartitions(database, clock),
    new DedupLocks(),
    new ClickRollups(months, new CustomerRollups(months), new VisitorRollups()),
    new ClickEffects(effect, new ClickEvents(outbox, targets, targets), new LiveAnnouncements()),
    new ClickMetrics(),
  );
  return { ingest, months };
}

export async function load(
  database: DataSource,
  ingest: ClickIngest,
  clicks: number,
  next: (n: number) => Click,
) {
  for (let start = 0; start < clicks; start += BATCH) {
    const size = Math.min(BATCH, clicks - start);
    const prepared = await ingest.prepare(Array.from({ length: size }, (_, i) => next(start + i)));
    await database.transaction((manager) => ingest.ingest(new Tx(manager), prepared));
  }
}

/** Size of tables in bytes, including indexes. */
export async function bytes(database: DataSource, tables: string): Promise<number> {
  const runner = database.createQueryRunner();
  await runner.query(`SET statement_timeout = 0`);
  await runner.query(`VACUUM FULL ${tables}`);
  await runner.release();
  const [row] = await database.query<[{ bytes: number }]>(
    `SELECT sum(pg_total_relation_size(name::regclass))::bigint AS bytes FROM unnest(string_to_array($1, ', ')) AS name`,
    [tables],
  );
  return row.bytes;
}

/** The last `count` days, including today. */
export function lastDays(count: number): DayRange {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const date = (time: number) => new Date(time).toISOString().slice(0, 10);
  const first = today - (count - 1) * DAY_MS;
  const days = Array.from({ length: count }, (_, i) => date(first + i * DAY_MS));
  return {
    startDate: date(first),
    endDate: date(today),
    days,
    from: new Date(first),
    to: new Date(today + DAY_MS),
  };
}

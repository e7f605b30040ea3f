import { load, makeClick, makeIngest } from './support/click-load';
import type { BenchStores } from './support/stores';

/* What values cost that nobody sends twice: how much all tables but the raw clicks grow by. */
const CLICKS = Number(process.env.BENCH_VALUES ?? 1_000_000);
const LINKS = 100;
const MIB = 1_048_576;

export async function benchValues(stores: BenchStores): Promise<void> {
  const { database } = await stores.database('bench_values', 4);
  const runner = database.createQueryRunner();
  await runner.query(`SET statement_timeout = 0`);
  const size = async () => {
    const [row] = (await runner.query(
      `SELECT sum(pg_total_relation_size(oid)) FILTER (WHERE relname NOT LIKE 'clicks%')::bigint AS others,
              sum(pg_total_relation_size(oid)) FILTER (WHERE relname LIKE 'clicks%')::bigint AS clicks
         FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    )) as [{ others: number; clicks: number }];
    return row;
  };
  const { ingest } = await makeIngest(database);
  const before = await size();
  const startedAt = performance.now();
  await load(database, ingest, CLICKS, (n) => {
    const unique = `value-${n}`;
    const link = makeClick(1 + (n % LINKS), Date.now());
    return {
      ...link,
      ip: '203.0.113.7',
      referrer: `https://${unique}.example/`,
      utm: [unique, unique, unique, unique],
    };
  });
  const rate = CLICKS / ((performance.now() - startedAt) / 1000);
  const counted = await size();
  await runner.query(`VACUUM FULL`);
  const after = await size();
  console.log(
    `${CLICKS} clicks of ${LINKS} links, every referrer and utm value unique: counted at ${Math.round(rate)} clicks/s; ` +
      `raw clicks ${((after.clicks - before.clicks) / MIB).toFixed(0)} MiB, ` +
      `all other tables ${((counted.others - before.others) / MIB).toFixed(1)} MiB, ` +
      `after VACUUM FULL ${((after.others - before.others) / MIB).toFixed(1)} MiB`,
  );
  await runner.release();
}

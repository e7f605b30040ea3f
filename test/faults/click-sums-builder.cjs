'use strict';

/*
 * Sums up clicks until it is killed, or once with the argument `once`; writes a line when it begins. Its clock is two days
 * ahead, so that today is finished although clicks of it are being counted.
 */
const dist = '../../dist/src';
const { connectDataSource } = require(`${dist}/infrastructure/database/data-source.js`);
const { directly } = require(`${dist}/infrastructure/database/database-address.js`);
const { Database } = require(`${dist}/infrastructure/database/database.js`);
const { ClickSumBuilder } = require(`${dist}/modules/click-statistics/breakdowns/click-sum-builder.js`);

const AHEAD_MS = 2 * 86_400_000;
const RETENTION_DAYS = 30;
const clock = { now: () => Date.now() + AHEAD_MS, date: () => new Date(clock.now()) };

async function main() {
  const address = directly(process.env.DATABASE_URL);
  const dataSource = await connectDataSource(address.direct, 3);
  const builder = new ClickSumBuilder(new Database(dataSource, address), clock);
  console.log('summing');
  do await builder.build(RETENTION_DAYS);
  while (process.argv[2] !== 'once');
  await dataSource.destroy();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});

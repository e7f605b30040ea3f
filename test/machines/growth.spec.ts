import { setTimeout as delay } from 'node:timers/promises';
import { expectCounted } from '../faults/accounts';
import { Customer } from '../faults/customer';
import { Load } from '../faults/load';
import { eventually } from '../support/eventually';
import type { Scrape } from '../support/scrape';
import { Installation } from './installation';
import type { ServiceMachine } from './processes';

const LINKS = 20;
const RELOADS = 10;

/** Adds a part to an installation, and waits until it works. */
type Growth = (installation: Installation, customer: Customer) => Promise<void>;

/** Run in this order, on one installation. */
const GROWTHS: readonly (readonly [part: string, add: Growth])[] = [
  [
    'an organization',
    async ({ proxy }) => {
      const customer = await Customer.create(proxy.url);
      const links = await customer.createLinks(proxy.url, LINKS);
      const load = Load.start({ host: proxy.host.address, ports: [80], links });
      await load.warm();
      await load.stop();
      expect(load.failures).toEqual([]);
      await eventually(async () => {
        const counts = await Promise.all(links.map((link) => customer.clickCount(proxy.url, link)));
        const people = load.tallies.filter(({ bots }) => !bots).map(({ answered }) => answered);
        expect(counts).toEqual(people);
      });
    },
  ],
  ['a web process', async (installation) => works(await installation.addWeb(), 'waypost_redirects_total')],
  [
    'new configurations of its proxy',
    async ({ proxy, webs }) => {
      for (let reload = 0; reload < RELOADS; reload++) {
        proxy.balance(webs);
        await delay(250);
      }
    },
  ],
  [
    'a shard and a worker',
    async (installation) => {
      await installation.restart({ CLICK_STREAM_SHARDS: '2' });
      await works(await installation.addWorker(), 'waypost_clicks_counted_total');
    },
  ],
  [
    'a replica',
    async (installation, customer) => {
      await installation.addReplica();
      await installation.restart({});
      const { proxy, webs } = installation;
      await eventually(async () => {
        expect((await customer.service(proxy.url, 'GET', '/urls')).status).toBe(200);
        const scrapes = await Promise.all(webs.map((web) => web.scrape()));
        expect(
          Math.max(...scrapes.map((each) => sum(each, 'waypost_report_reads_total', 'replica'))),
        ).toBeGreaterThan(0);
      });
    },
  ],
];

describe('an installation that grows', () => {
  jest.setTimeout(300_000);
  const ends: (() => Promise<void>)[] = [];
  let installation: Installation;
  let customer: Customer;

  beforeAll(async () => {
    installation = await Installation.start({ processes: 1, shards: 1, replicas: 0 });
    ends.push(() => installation.end());
    customer = await Customer.create(installation.proxy.url);
  });
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });

  it.each(GROWTHS)('answers every visit and counts it once, while it gets %s', async (_, add) => {
    await installation.explain(async () => {
      const { url, host } = installation.proxy;
      const links = await customer.createLinks(url, LINKS);
      const load = Load.start({ host: host.address, ports: [80], links });
      ends.push(() => load.stop());
      await load.warm();

      await add(installation, customer);
      await load.stop();

      expect(load.failures).toEqual([]);
      await expectCounted(load, {
        databaseUrl: installation.primary.url,
        stream: () => installation.waiting(),
        dataDirs: installation.dataDirs,
      });
    });
  });
});

async function works(machine: ServiceMachine, counter: string): Promise<void> {
  await eventually(async () => expect(sum(await machine.scrape(), counter)).toBeGreaterThan(0));
}

/** Sum of the series of a counter whose labels contain a text. */
function sum(scrape: Scrape, name: string, label = ''): number {
  const series = [...scrape].filter(([each]) => each.startsWith(name) && each.includes(label));
  return series.reduce((total, [, value]) => total + value, 0);
}

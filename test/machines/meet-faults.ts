import { expectCounted } from '../faults/accounts';
import { Customer } from '../faults/customer';
import { Load } from '../faults/load';
import { eventually } from '../support/eventually';
import { WebhookReceiver } from '../support/webhook-receiver';
import { explains, type Fault, happen, LONG_SECONDS, SLOWDOWN } from './faults';
import { Installation, type Size } from './installation';
import { EVENTS, Registrations } from './registrations';

/** A lost master of Redis is replaced meanwhile, and a standby gives up its connection. */
const SHORT_SECONDS = 6;
const VISIT_PAUSE_MS = 20;
/** Enough for each node of Citus to have some. */
const ORGANIZATIONS = 4;
const LINKS = 5;

/** Declares a test for each fault, all on one installation. */
export function meetFaults(size: Partial<Size>, faults: readonly Fault[]): void {
  const seconds = LONG_SECONDS || SHORT_SECONDS;
  jest.setTimeout((2 * seconds + 240) * 1000);
  const ends: (() => Promise<void>)[] = [];
  let installation: Installation;
  let receiver: WebhookReceiver;
  let customer: Customer;
  const others: Customer[] = [];
  const rows: string[] = [];
  /** Connections of a Citus coordinator fail once after a fault of a node: docs/scaling.md#when-a-node-is-away. */
  const isExpected = (refusal: string) => size.nodes !== undefined && refusal.includes('POST /urls: 503 ');

  beforeAll(async () => {
    installation = await Installation.start(size);
    ends.push(() => installation.end());
    receiver = await WebhookReceiver.start(installation.network.gateway);
    ends.push(() => receiver.close());
    const { url } = installation.proxy;
    customer = await Customer.create(url);
    while (others.length < ORGANIZATIONS - 1) others.push(await Customer.create(url));
    await customer.useContacts(url, '10.0.0.0/8');
    await customer.addWebhook(url, receiver.url, EVENTS);
  });
  afterAll(async () => {
    if (rows.length > 0) console.log(TABLE + rows.join('\n'));
    for (const end of ends.toReversed()) await end();
  });

  it.each(faults.map((fault) => [`${fault.machine} ${fault.kind}`, fault] as const))(
    'loses nothing and counts nothing twice: %s',
    async (name, fault) => {
      const { url, host } = installation.proxy;
      const refusals: string[] = [];
      const links = await eventually(async () => {
        const created = Promise.all([customer, ...others].map((each) => each.createLinks(url, LINKS)));
        created.catch((error: unknown) => refusals.push(String(error)));
        return (await created).flat();
      });
      expect(refusals.filter((each) => !isExpected(each))).toEqual([]);
      const pauseMs = VISIT_PAUSE_MS * SLOWDOWN;
      const load = Load.start({ host: host.address, ports: [80], links, pauseMs });
      const registrations = new Registrations(customer, url, receiver, SLOWDOWN);
      await load.warm();

      await happen(installation, fault, seconds);
      await Promise.all([load.stop(), registrations.stop()]);

      await expectCounted(load, {
        databaseUrl: installation.primary.url,
        stream: () => installation.waiting(),
        dataDirs: installation.dataDirs,
      });
      await registrations.expectComplete();
      expect(load.failures.filter((failure) => !explains(fault, failure))).toEqual([]);
      const { answered, failures, longest } = load;
      const cells = [name, answered, failures.length, Math.round(longest), ...registrations.counts];
      rows.push(`| ${cells.join(' | ')} |`);
    },
  );
}

/** Opt-outs and contacts are those that were answered, are in the feed once and were delivered. */
const TABLE = `| fault | redirects answered and counted | cut connections | longest, ms | opt-outs | contacts |
| --- | --- | --- | --- | --- | --- |
`;

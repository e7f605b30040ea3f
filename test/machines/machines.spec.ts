import { expectCounted } from '../faults/accounts';
import { Customer } from '../faults/customer';
import { Load } from '../faults/load';
import { WebhookReceiver } from '../support/webhook-receiver';
import { ALL, explains, happen, SOME } from './faults';
import { Installation } from './installation';
import { OptOuts } from './opt-outs';

/** TRIAL_SECONDS makes each fault last that long, and runs all of them. */
const SECONDS = Number(process.env.TRIAL_SECONDS ?? 0);
const FAULTS = SECONDS > 0 ? ALL : SOME;
const SHORT_SECONDS = 15;
const LINKS = 20;

describe('an installation on many machines', () => {
  const seconds = SECONDS || SHORT_SECONDS;
  jest.setTimeout((seconds + 240) * 1000);
  const ends: (() => Promise<void>)[] = [];
  let installation: Installation;
  let receiver: WebhookReceiver;
  let customer: Customer;
  const rows: string[] = [];

  beforeAll(async () => {
    installation = await Installation.start();
    ends.push(() => installation.end());
    receiver = await WebhookReceiver.start(installation.network.gateway);
    ends.push(() => receiver.close());
    customer = await Customer.create(installation.proxy.url);
    await customer.addWebhook(installation.proxy.url, receiver.url, ['unsubscribe.*']);
  });
  afterAll(async () => {
    if (rows.length > 0) console.log(TABLE + rows.join('\n'));
    for (const end of ends.toReversed()) await end();
  });

  it.each(FAULTS.map((fault) => [`${fault.machine} ${fault.kind}`, fault] as const))(
    'loses nothing and counts nothing twice: %s',
    async (name, fault) => {
      const { url, host } = installation.proxy;
      const links = await customer.createLinks(url, LINKS);
      const load = Load.start({ host: host.address, ports: [80], links });
      const optOuts = new OptOuts(customer, url, receiver);
      await load.warm();

      await happen(installation, fault, seconds);
      await Promise.all([load.stop(), optOuts.stop()]);

      await expectCounted(load, {
        databaseUrl: installation.primary.url,
        stream: () => installation.waiting(),
        dataDirs: installation.dataDirs,
      });
      await optOuts.expectComplete();
      expect(load.failures.filter((failure) => !explains(fault, failure))).toEqual([]);
      const cells = [name, load.answered, load.failures.length, Math.round(load.longest), optOuts.count];
      rows.push(`| ${cells.join(' | ')} |`);
    },
  );
});

const TABLE = `| fault | redirects answered and counted | cut connections | longest, ms | opt-outs answered, in the feed and delivered |
| --- | --- | --- | --- | --- |
`;

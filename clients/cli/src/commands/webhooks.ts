import type { Command } from 'commander';
import { type Params, verifyWebhook } from '@waypost/client';
import { UsageError } from '../exit';
import { untilInterrupted } from '../interrupt';
import { collect, collectId, collectList, httpUrl, jsonOption } from '../options';
import { Output } from '../output';
import { reconnecting } from '../reconnect';
import { findCampaign, findLink, hasCode, service, type Service } from '../service';

/** As long as the service waits for a receiver. */
const RECEIVER_MS = 15_000;
const WAIT_SECONDS = 20;
const MOST_AT_ONCE = 20;
/** The beginning of an answer that the log of deliveries shows. */
const SHOWN_ANSWER = 1_024;

interface FilterOptions {
  link?: string[];
  campaign?: string[];
  tag?: string[];
  app?: number[];
}

interface ListenOptions extends FilterOptions {
  forwardTo?: string;
  events?: string[];
  headers?: string[];
  json?: boolean;
}

export function addWebhooks(program: Command): void {
  program
    .command('webhooks')
    .description('Receive webhooks on this machine')
    .command('listen')
    .description('Show events as they happen, and forward them to a server on this machine')
    .option(
      '-f, --forward-to <url>',
      'Where to send each delivery, such as http://localhost:4000/webhooks',
      httpUrl,
    )
    .option(
      '-e, --events <events>',
      'Events or groups such as link.*, separated by commas (default: all)',
      collectList,
    )
    .option('--link <link>', 'Only events about this link; repeatable', collect)
    .option('--campaign <campaign>', 'Only events about this campaign; repeatable', collect)
    .option('--tag <tags>', 'Only events about links and campaigns with one of these tags', collectList)
    .option('--app <id>', 'Only events about this app; repeatable', collectId)
    .option('-H, --headers <name:value>', 'Header to add to what is forwarded; repeatable', collect)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nThe command makes an endpoint, shows its signing secret, and deletes it at the end.',
    )
    .action(async ({ events = ['*'], json = false, ...options }: ListenOptions) => {
      const headers = headersOf(options.headers ?? []);
      const api = await service();
      const output = new Output(json);
      // The service names those that do not exist.
      const named = events as Params<'createWebhook'>['events'];
      await untilInterrupted(async (signal) => {
        const { id, secret } = await api.webhooks.createWebhook({
          delivery: 'PULL',
          events: named,
          ...(await filtersOf(api, options)),
        });
        output.note(`Ready. The signing secret is ${secret} (Ctrl-C to end)`);
        const receiver = { secret, forwardTo: options.forwardTo, headers };
        try {
          await listen(api, id, receiver, output, signal);
        } finally {
          await api.webhooks.deleteWebhook({ id });
        }
      });
    });
}

/** An event passes if it concerns one of these. */
async function filtersOf(api: Service, { link = [], campaign = [], tag: tags, app: apps }: FilterOptions) {
  const idsOf = async (found: Promise<{ id: number }>[]) => (await Promise.all(found)).map(({ id }) => id);
  return {
    links: await idsOf(link.map((text) => findLink(api, text))),
    campaigns: await idsOf(campaign.map((text) => findCampaign(api, text))),
    tags,
    apps,
  };
}

type PulledDelivery = Awaited<ReturnType<Service['webhooks']['pullWebhook']>>['deliveries'][number];

interface Receiver {
  secret: string;
  forwardTo: string | undefined;
  headers: Readonly<Record<string, string>>;
}

/** The result of a delivery. */
interface Result {
  statusCode?: number;
  error?: 'TIMEOUT' | 'CONNECT_FAILED';
  durationMs: number;
  answer?: string;
}

async function listen(
  api: Service,
  id: number,
  receiver: Receiver,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const lost = (reason: string) => output.note(`Connection lost (${reason}), connecting again`);
  await reconnecting(signal, lost, async (alive) => {
    const query = { id, limit: MOST_AT_ONCE, wait: WAIT_SECONDS };
    const { deliveries } = await api.webhooks.pullWebhook(query, { signal });
    alive();
    for (const delivery of deliveries) {
      const work = handle(api, delivery, receiver, output)
        .catch((error: unknown) => output.note(`${delivery.deliveryId}: ${String(error)}`))
        .finally(() => running.delete(work));
      running.add(work);
    }
    while (running.size >= MOST_AT_ONCE) await Promise.race(running);
  });
  await Promise.all(running);
}

async function handle(
  api: Service,
  delivery: PulledDelivery,
  receiver: Receiver,
  output: Output,
): Promise<void> {
  const { deliveryId, event, attempt, headers, body, lease } = delivery;
  const verified = await isGenuine(delivery, receiver.secret);
  const time = () => output.style('dim', new Date().toISOString().slice(11, 19));
  if (!output.json) output.print(`${time()}  --> ${output.style('bold', event)} [${deliveryId}]`);
  const result = verified
    ? await forward(headers, body, receiver)
    : { statusCode: 400, durationMs: 0, answer: 'The signature is wrong' };
  if (output.json) {
    const { statusCode = null, error = null, durationMs } = result;
    output.print(
      JSON.stringify({
        deliveryId,
        event,
        attempt,
        verified,
        statusCode,
        error,
        durationMs,
        body: JSON.parse(body) as unknown,
      }),
    );
  } else if (!verified)
    output.print(
      `${time()}  <-- ${output.style('red', 'not forwarded: the signature is wrong')} [${deliveryId}]`,
    );
  else if (receiver.forwardTo !== undefined) {
    const { statusCode = 0, error } = result;
    const status = output.style(
      statusCode >= 200 && statusCode < 300 ? 'green' : 'red',
      `[${error ?? statusCode}]`,
    );
    output.print(`${time()}  <-- ${status} POST ${receiver.forwardTo} [${deliveryId}]`);
  }
  try {
    await api.webhooks.reportWebhookDelivery({ deliveryId, lease, ...result });
  } catch (error) {
    // It was pulled again meanwhile.
    if (!hasCode(error, 'LEASE_LOST')) throw error;
  }
}

async function isGenuine({ headers, body }: PulledDelivery, secret: string): Promise<boolean> {
  try {
    await verifyWebhook(body, headers, secret);
    return true;
  } catch {
    return false;
  }
}

/** Without a server, a delivery is taken as received. */
async function forward(
  headers: PulledDelivery['headers'],
  body: string,
  receiver: Receiver,
): Promise<Result> {
  if (receiver.forwardTo === undefined) return { statusCode: 200, durationMs: 0 };
  const start = performance.now();
  const durationMs = () => Math.round(performance.now() - start);
  try {
    const response = await fetch(receiver.forwardTo, {
      method: 'POST',
      headers: { ...headers, ...receiver.headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(RECEIVER_MS),
    });
    const answer = (await response.text()).slice(0, SHOWN_ANSWER);
    return { statusCode: response.status, durationMs: durationMs(), answer };
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
    return { error: isTimeout ? 'TIMEOUT' : 'CONNECT_FAILED', durationMs: durationMs() };
  }
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers = new Headers();
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]+):(.*)$/s.exec(line) ?? [];
    try {
      headers.append(name.trim(), value.trim());
    } catch {
      throw new UsageError(`headers: "${line}" is not a header such as "Name: value"`);
    }
  }
  return Object.fromEntries(headers);
}

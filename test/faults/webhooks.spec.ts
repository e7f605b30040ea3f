import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { RedisServer } from '../support/servers';
import { eventually } from '../support/eventually';
import { phone, UNSUBSCRIBES } from '../support/unsubscribes';
import { type ReceivedWebhook, WebhookReceiver } from '../support/webhook-receiver';
import { Customer } from './customer';
import type { Service } from './service';
import { Stage } from './stage';

/** WEBHOOK_LONG=1 runs ten thousand events twice instead of some hundred once. */
const LONG = process.env.WEBHOOK_LONG !== undefined;
/** Largest number of changes that send one event each. */
const AT_ONCE = 20;
const EVENTS = LONG ? 10_000 : 400;
const STORM_MS = LONG ? 30_000 : 4_000;
const KILL_EVERY_MS = 2_000;
const ENDPOINTS = 3;

describe('webhooks', () => {
  const stage = new Stage();
  jest.setTimeout(STORM_MS + 300_000);
  let receiver: WebhookReceiver;
  let until = 0;

  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
  });
  afterEach(async () => {
    await stage.clear();
    await receiver.close();
  });

  const storms = () => performance.now() < until;

  async function raiseEvents(web: Service, customer: Customer): Promise<void> {
    const pause = STORM_MS / (EVENTS / AT_ONCE);
    for (let first = 0; first < EVENTS; first += AT_ONCE) {
      const items = Array.from({ length: AT_ONCE }, (_, i) => ({ value: phone(first + i) }));
      await customer.post(web.url, `${UNSUBSCRIBES}/bulk`, { items });
      await delay(pause / 2);
    }
  }

  async function killRepeatedly(worker: Service): Promise<void> {
    while (storms()) {
      await delay(KILL_EVERY_MS);
      await worker.kill();
      await worker.restart();
    }
  }

  /** Flushes and kills Redis five times. */
  async function flushAndKill(redis: RedisServer): Promise<void> {
    for (let i = 0; i < 5 && storms(); i++) {
      await delay(STORM_MS / 6);
      const client = new Redis(redis.url);
      await client.flushall();
      client.disconnect();
      await redis.stop('SIGKILL');
      await delay(100);
      await redis.restart();
    }
  }

  const keyOf = (hook: ReceivedWebhook) => `${hook.path} ${String(hook.body.data.id)}`;

  it.each(
    LONG
      ? [
          ['a worker is killed every two seconds', true, false],
          ['Redis is flushed and killed', false, true],
        ]
      : [['the only worker and Redis are killed repeatedly', true, true]],
  )('are all delivered, each with one id and identical bytes, while %s', async (_, worker, redis) => {
    const store = await stage.redis();
    const env = {
      DATABASE_URL: await stage.database(),
      REDIS_URL: store.url,
      OUTBOUND_ALLOW_PRIVATE: 'true',
    };
    const web = await stage.service({ ...env, ROLE: 'web' });
    const mortal = await stage.service({ ...env, ROLE: 'worker' });
    const customer = await Customer.create(web.url);
    for (let i = 0; i < ENDPOINTS; i++)
      await customer.addWebhook(web.url, receiver.at(`/${i}`), ['unsubscribe.*']);

    until = performance.now() + STORM_MS;
    await Promise.all([
      raiseEvents(web, customer),
      worker ? killRepeatedly(mortal) : undefined,
      redis ? flushAndKill(store) : undefined,
    ]);
    await eventually(async () => {
      expect(new Set(receiver.received.map(keyOf)).size).toBe(EVENTS * ENDPOINTS);
    });

    const deliveries = new Map<string, Set<string>>();
    const bytes = new Map<string, string>();
    for (const hook of receiver.received) {
      const ids = deliveries.get(keyOf(hook)) ?? new Set();
      deliveries.set(keyOf(hook), ids.add(hook.body.delivery_id));
      expect(hook.headers['webhook-id']).toBe(hook.body.delivery_id);
      expect(bytes.get(hook.body.delivery_id) ?? hook.raw).toBe(hook.raw);
      bytes.set(hook.body.delivery_id, hook.raw);
    }
    expect([...deliveries.values()].filter(({ size }) => size > 1)).toEqual([]);
    expect(bytes.size).toBe(EVENTS * ENDPOINTS);
  });
});

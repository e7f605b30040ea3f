import { createServer, type RequestListener } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { OutgoingClient } from '../../src/common/outgoing/outgoing-client';
import { Clock } from '../../src/common/time/clock';
import type { ClaimedDelivery } from '../../src/modules/webhooks/delivery';
import { DeliveryClient } from '../../src/modules/webhooks/deliveries/delivery-client';
import { receiverProblem } from '../../src/modules/webhooks/api/webhook-endpoints.service';
import { createOrganization } from '../support/factories';
import { eventually } from '../support/eventually';
import { REFUSED_HOSTS, REFUSED_NAMES } from '../support/refused-hosts';
import { useTestApp } from '../support/test-app';
import { WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';

const GIB = 2 ** 30;
const MIB = 2 ** 20;
/** Time limit that no attempt reaches within a test. */
const NEVER_MS = 600_000;
/** Longer than an attempt of a fast endpoint takes. */
const SLOW_MS = 1_200;

const deliveryTo = (url: string): ClaimedDelivery => ({
  id: '0197a3c1-5b7e-7c4d-9a2f-3e5d6c7b8a90',
  lease: '',
  organizationId: 1,
  endpointId: 1,
  event: 'contact.created',
  createdAt: new Date(),
  attempt: 0,
  attempts: [],
  data: '{"id":1}',
  url,
  secrets: [{ value: 'whsec_AAAA', replacedAt: null }],
  traceparent: null,
  replaying: false,
});

describe('webhooks to forbidden addresses', () => {
  it('make no connection, as of any outgoing call', async () => {
    const outgoing = new OutgoingClient({ allowPrivate: false, dnsServers: [] });
    const clock = new (class extends Clock {
      now = () => Date.now();
    })();
    for (const url of ['http://127.0.0.1/', 'https://127.0.0.1/']) {
      const { attempt } = await new DeliveryClient(outgoing, clock).post(deliveryTo(url));
      expect(attempt.error).toBe('NOT_ALLOWED');
    }
  });

  it('are refused by the console when recognizable, like http and other ports', () => {
    const named = new Set(Object.keys(REFUSED_NAMES));
    const taken = REFUSED_HOSTS.filter((host) => receiverProblem(`https://${host}/`, false) === null);
    expect(taken.filter((host) => !named.has(host))).toEqual([]);
    for (const url of [
      'http://hooks.example.com/',
      'https://hooks.example.com:8443/',
      'https://hooks.example.com:80/',
    ]) {
      expect(receiverProblem(url, false)).not.toBeNull();
    }
    for (const url of [
      'https://hooks.example.com',
      'https://hooks.example.com:443/a?b=c',
      'https://8.8.8.8/',
    ]) {
      expect(receiverProblem(url, false)).toBeNull();
    }
  });
});

describe('webhooks to receivers that behave badly', () => {
  const app = useTestApp();
  const ends: (() => void)[] = [];

  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  const tcp = async (listener: (socket: net.Socket) => void): Promise<number> => {
    const sockets = new Set<net.Socket>();
    const server = net.createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      listener(socket);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    ends.push(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    return (server.address() as AddressInfo).port;
  };
  const http = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    ends.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };
  const hanging = async (): Promise<WebhookReceiver> => {
    const receiver = await WebhookReceiver.start();
    receiver.answer = () => undefined;
    ends.push(() => void receiver.close());
    return receiver;
  };

  it('cost only time and little memory, and are retried', async () => {
    const client = app.get(DeliveryClient);
    const { timeoutMs } = client;
    client.timeoutMs = 5_000;
    let written = 0;
    const gigabyte = await http((_, response) => {
      response.writeHead(500, { 'Content-Length': GIB });
      const chunk = Buffer.alloc(65_536);
      const more = () => {
        while (written < GIB && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
      };
      more();
    });
    const drip = await http((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 200);
      response.on('close', () => clearInterval(timer));
    });
    const urls: Record<string, string> = {
      gigabyte,
      drip,
      silent: (await hanging()).url,
      halfway: `http://127.0.0.1:${await tcp((socket) => {
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'));
      })}/`,
      brokenTls: `https://127.0.0.1:${await tcp((socket) => {
        socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
      })}/`,
      silentTls: `https://127.0.0.1:${await tcp(() => undefined)}/`,
    };
    const webhooks = new Webhooks(app, await createOrganization(app));
    const ids = new Map<string, number>();
    for (const [name, url] of Object.entries(urls)) ids.set(name, (await webhooks.create(url)).id);
    const used = () => process.memoryUsage().rss;
    const before = used();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, used())), 10);
    await webhooks.raise();
    await eventually(async () => {
      const seen: Record<string, unknown> = {};
      for (const [name, id] of ids) {
        const [attempt] = (await webhooks.log(id))[0]?.attempts ?? [];
        seen[name] = attempt?.statusCode ?? attempt?.error;
      }
      expect(seen).toEqual({
        gigabyte: 500,
        drip: 'TIMEOUT',
        silent: 'TIMEOUT',
        halfway: 'CONNECT_FAILED',
        brokenTls: 'TLS_FAILED',
        silentTls: 'TIMEOUT',
      });
    });
    clearInterval(watch);
    client.timeoutMs = timeoutMs;
    // Six at once, including the servers in this process.
    expect((most - before) / ids.size).toBeLessThan(20 * MIB);
    expect(written).toBeLessThan(20 * MIB);
    for (const id of ids.values()) expect(await webhooks.get(id)).toMatchObject({ state: 'FAILING' });
  });

  it('do not delay other webhooks', async () => {
    app.get(DeliveryClient).timeoutMs = NEVER_MS;
    const quick = await WebhookReceiver.start();
    ends.push(() => void quick.close());
    const slow = await hanging();
    const webhooks = new Webhooks(app, await createOrganization(app));
    for (let i = 0; i < 19; i++) await webhooks.create(quick.at(`/${i}`));
    await webhooks.create(slow.url);
    await webhooks.raise('contact.created', {}, 15);
    await eventually(async () => expect(quick.ids).toHaveLength(19 * 15));
    // No attempt has ended, so it has at most its ten.
    expect(slow.ids.length).toBeLessThanOrEqual(10);
  });

  it('do not exhaust the slots of a worker, in any number', async () => {
    app.get(DeliveryClient).timeoutMs = NEVER_MS;
    const slow = await hanging();
    const webhooks = new Webhooks(app, await createOrganization(app));
    for (let i = 0; i < 15; i++) await webhooks.create(slow.at(`/${i}`));
    await webhooks.raise('contact.created', {}, 10);
    // All slots that it may have are taken, and released after a second.
    await eventually(async () => expect(slow.ids.length).toBeGreaterThanOrEqual(100));
    const quick = await WebhookReceiver.start();
    ends.push(() => void quick.close());
    const others = new Webhooks(app, await createOrganization(app));
    await others.create(quick.url);
    await others.raise();
    await eventually(async () => expect(quick.received).toHaveLength(1));
  });

  it('leave slots for slow endpoints of other organizations', async () => {
    app.get(DeliveryClient).timeoutMs = NEVER_MS;
    /** Answers the first call of each endpoint slowly, and then never. */
    const slow = await WebhookReceiver.start();
    ends.push(() => void slow.close());
    const known = new Set<string | undefined>();
    slow.answer = ({ url }, response) => {
      if (!known.has(url)) setTimeout(() => response.writeHead(204).end(), SLOW_MS);
      known.add(url);
    };
    const webhooks = new Webhooks(app, await createOrganization(app, { limits: { webhookEndpoints: 65 } }));
    for (let i = 0; i < 65; i++) await webhooks.create(slow.at(`/${i}`));
    await webhooks.raise();
    await eventually(async () => expect(known.size).toBe(65));
    await webhooks.settled();
    await webhooks.raise('contact.created', {}, 4);
    // All slots that it may have hang.
    await eventually(async () => expect(slow.ids.length).toBeGreaterThanOrEqual(65 + 128));

    const other = await WebhookReceiver.start();
    ends.push(() => void other.close());
    other.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), SLOW_MS);
    const others = new Webhooks(app, await createOrganization(app));
    await others.create(other.url);
    await others.raise();
    await eventually(async () => expect(other.received).toHaveLength(1));
    await others.settled();
    await others.raise();
    await eventually(async () => expect(other.received).toHaveLength(2));
  });
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { createOrganization, type TestOrganization } from '../../../test/support/factories';
import { eventually } from '../../../test/support/eventually';
import { useTestApp } from '../../../test/support/test-app';
import { WebhookReceiver } from '../../../test/support/webhook-receiver';
import { CommandLine, type RunningProgram } from './support/command-line';

describe('waypost webhooks listen', () => {
  const app = useTestApp({ env: { BASE_URL: 'http://127.0.0.1' } });
  let org: TestOrganization;
  let receiver: WebhookReceiver;
  const cli = new CommandLine(() => ({ WAYPOST_URL: app.url, WAYPOST_API_KEY: org.apiKey }));

  beforeAll(async () => {
    app.clock.run();
    org = await createOrganization(app);
    receiver = await WebhookReceiver.start();
  });
  beforeEach(() => receiver.reset());
  afterAll(async () => {
    cli.close();
    await receiver.close();
  });

  const listen = async (...args: string[]): Promise<RunningProgram> => {
    const program = cli.start('webhooks', 'listen', ...args);
    await program.said('Ctrl-C to end');
    return program;
  };
  const secretOf = ({ stderr }: RunningProgram) => /whsec_\S+/.exec(stderr)?.[0] ?? '';
  const read = async (path: string) => {
    const response = await fetch(`${app.url}/api/v1/service/${path}`, {
      headers: { 'X-API-KEY': org.apiKey },
    });
    return (await response.json()) as Record<string, unknown>;
  };
  let made = 0;
  const createLink = () => cli.output('links', 'create', `https://example.com/${++made}`);
  const printed = (program: RunningProgram, count: number) =>
    eventually(async () => {
      expect(await Promise.resolve(program.objects)).toHaveLength(count);
      return program.objects;
    });
  const logged = (deliveryId: unknown, expected: object) =>
    eventually(async () => expect(await read(`deliveries/${String(deliveryId)}`)).toMatchObject(expected));

  it('forwards a delivery as it was signed, and reports the answer', async () => {
    const program = await listen(
      '--forward-to',
      receiver.url,
      '--events',
      'link.*',
      '-H',
      'X-Developer: me',
      '--json',
    );
    await createLink();
    const [delivery] = await printed(program, 1);
    expect(delivery).toMatchObject({
      event: 'link.created',
      attempt: 1,
      verified: true,
      statusCode: 204,
      error: null,
      body: { event: 'link.created', data: { originalUrl: `https://example.com/${made}` } },
    });
    const [request, ...others] = receiver.received;
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      path: '/hook?key=secret',
      headers: {
        'x-developer': 'me',
        'webhook-id': delivery?.deliveryId,
        'user-agent': 'Waypost-Webhooks/1',
      },
    });
    expect(new Webhook(secretOf(program)).verify(request?.raw ?? '', request?.headers ?? {})).toEqual(
      delivery?.body,
    );
    await logged(delivery?.deliveryId, { status: 'DELIVERED', attempts: [{ statusCode: 204 }] });

    expect(await program.interrupt()).toMatchObject({ code: 130 });
    expect(await read('webhooks')).toMatchObject({ content: [] });
  });

  it('reports failures, so that the service delivers again', async () => {
    receiver.status(500, {}, 'broken');
    const program = await listen('--forward-to', receiver.url, '--json');
    await createLink();
    const [delivery] = await printed(program, 1);
    expect(delivery).toMatchObject({ statusCode: 500 });
    await logged(delivery?.deliveryId, {
      status: 'PENDING',
      attempts: [{ statusCode: 500, answer: 'broken' }],
    });
    await program.interrupt();

    const nowhere = await listen('--forward-to', 'localhost:9', '--json');
    await createLink();
    const [refused] = await printed(nowhere, 1);
    expect(refused).toMatchObject({ statusCode: null, error: 'CONNECT_FAILED' });
    await logged(refused?.deliveryId, { status: 'PENDING', attempts: [{ error: 'CONNECT_FAILED' }] });
    await nowhere.interrupt();
  });

  it('shows events and answers in words', async () => {
    const program = await listen('--forward-to', receiver.url, '--events', 'campaign.created,link.created');
    await createLink();
    await eventually(async () =>
      expect(await Promise.resolve(program.stdout)).toMatch(
        /^\d\d:\d\d:\d\d {2}--> link\.created \[\S+\]\n\d\d:\d\d:\d\d {2}<-- \[204\] POST http:\S+ \[\S+\]\n$/,
      ),
    );
    await program.interrupt();

    const link = (await createLink()).trim();
    const alone = await listen('--json', '--tag', 'wanted', '--link', link);
    await createLink();
    await cli.output('links', 'create', 'https://example.com/wanted', '--tag', 'Wanted');
    const [delivery] = await printed(alone, 1);
    expect(delivery).toMatchObject({ body: { data: { originalUrl: 'https://example.com/wanted' } } });
    await logged(delivery?.deliveryId, { status: 'DELIVERED' });
    await alone.interrupt();
  });

  it('says what is wrong', async () => {
    for (const args of [
      ['--forward-to', 'ftp://localhost'],
      ['--headers', 'nonsense'],
      ['--events', 'a,,b'],
      ['--app', 'shop'],
    ]) {
      expect(await cli.run(['webhooks', 'listen', ...args])).toMatchObject({ code: 2, stdout: '' });
    }
    expect(await cli.run(['webhooks', 'listen', '--events', 'link.eaten'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^waypost: events.*\(VALIDATION_FAILED\)\n$/) as string,
    });
    expect(await read('webhooks')).toMatchObject({ content: [] });
  });

  describe('from a service that loses connections, and did not sign', () => {
    const results: unknown[] = [];
    let server: Server;

    beforeAll(async () => {
      const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
      const body = '{"event":"link.created"}';
      const headers = {
        'webhook-id': 'x',
        'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
        'webhook-signature': 'v1,AAAA',
      };
      const delivery = { deliveryId: 'forged', event: 'link.created', attempt: 1, lease: 'l', headers, body };
      let pulls = 0;
      server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const send = (value: unknown) =>
            response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
          if (request.url?.endsWith('/result')) {
            results.push(JSON.parse(Buffer.concat(chunks).toString()));
            send({});
          } else if (!request.url?.includes('/pending')) send({ id: 1, secret });
          else if (++pulls === 1) send({ deliveries: [] });
          // As often as the client tries by itself.
          else if (pulls <= 4) request.socket.destroy();
          else if (pulls === 5) send({ deliveries: [delivery] });
        });
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });

    it('connects again, and does not forward', async () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const other = new CommandLine(() => ({ WAYPOST_URL: url, WAYPOST_API_KEY: 'wp_live_test' }));
      const program = other.start('webhooks', 'listen', '--forward-to', receiver.url, '--json');
      await eventually(async () =>
        expect(await Promise.resolve(results)).toMatchObject([{ statusCode: 400, lease: 'l' }]),
      );
      expect(program.objects).toMatchObject([{ deliveryId: 'forged', verified: false, statusCode: 400 }]);
      expect(receiver.received).toEqual([]);
      expect(program.stderr).toContain('Connection lost');
      await program.interrupt();
    });
  });
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { RequestHandler } from './fast-path-connection';
import { FastPathServer } from './fast-path-server';

const KEEP_ALIVE_MS = 50;
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

describe('The fast path of a server', () => {
  let server: Server;
  let front: FastPathServer;
  let take: jest.MockedFunction<RequestHandler>;
  let client: Socket;
  let received: string;

  /** @param keepAliveMs long by default, because a slow machine pauses between requests */
  const start = async (keepAliveMs = 600_000) => {
    server = createServer((_, response) => response.end('by node:http'));
    server.keepAliveTimeout = keepAliveMs;
    take = jest.fn<boolean, Parameters<RequestHandler>>((_, connection) => {
      connection.redirect('/there');
      return true;
    });
    front = new FastPathServer(server, take);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    received = '';
    client.setEncoding('latin1').on('data', (text: string) => (received += text));
    await once(client, 'connect');
  };
  afterEach(() => {
    client.destroy();
    front.closeAll();
    server.closeAllConnections();
    server.close();
  });

  const answered = async (text: string) => {
    while (!received.includes(text)) await once(client, 'data');
    received = '';
  };

  it('closes a connection that is idle for longer than the server keeps one', async () => {
    await start(KEEP_ALIVE_MS);
    client.write(GET);
    await answered('302 Found');
    await once(client, 'close');
    expect(take).toHaveBeenCalledTimes(1);
  });

  it('answers a client that has ended its side, then closes the connection', async () => {
    await start(KEEP_ALIVE_MS);
    let redirect = () => {};
    take.mockImplementation((_, connection) => {
      redirect = () => connection.redirect('/late');
      return true;
    });
    client.allowHalfOpen = true;
    client.end(GET);
    while (take.mock.calls.length === 0) await new Promise((done) => setImmediate(done));
    await new Promise((done) => setTimeout(done, KEEP_ALIVE_MS));
    const ended = once(client, 'end');
    redirect();
    await answered('/late');
    await ended;
  });

  it('keeps a connection whose request is being answered', async () => {
    await start(KEEP_ALIVE_MS);
    let redirect = () => {};
    take.mockImplementation((_, connection) => {
      redirect = () => connection.redirect('/late');
      return true;
    });
    client.write(GET);
    const closed = jest.fn();
    client.once('close', closed);
    await new Promise((done) => setTimeout(done, 4 * KEEP_ALIVE_MS));
    expect(closed).not.toHaveBeenCalled();
    redirect();
    await answered('/late');
    await once(client, 'close');
  });

  it('hands over connections of clients that do not read, and loses none of their requests', async () => {
    await start();
    take.mockImplementation((_, connection) => {
      connection.redirect(`/${'x'.repeat(200_000)}`);
      return true;
    });
    let answers = 0;
    server.on('request', () => answers++);
    client.pause();
    for (let n = 0; n < 60; n++) {
      client.write(GET);
      await new Promise((done) => setImmediate(done));
    }
    expect(take.mock.calls.length).toBeLessThan(60);
    client.resume();
    while (take.mock.calls.length + answers < 60) await once(client, 'data');
  });

  it('leaves every request to node:http once it is stopped', async () => {
    await start();
    client.write(GET);
    await answered('302 Found');
    front.stop();
    client.write(GET);
    await answered('by node:http');
    expect(take).toHaveBeenCalledTimes(1);
  });

  it('closes idle connections, and leaves busy ones', async () => {
    await start();
    take.mockReturnValue(true);
    const idle = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(idle, 'connect');
    client.write(GET);
    while (take.mock.calls.length === 0) await new Promise((done) => setImmediate(done));
    front.closeIdle();
    await once(idle, 'close');
    take.mock.calls[0]?.[1].redirect('/there');
    await answered('302 Found');
  });
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { endStalledWrites } from './stalled-writes';

const STALLED_MS = 300;
const MORE_THAN_KERNELS_TAKE = 100_000_000;
const CHECKS = 6;
/** Exceeds the kernel's buffers of a connection, so that a write progresses between two checks. */
const READ_BETWEEN_CHECKS = 8_000_000;

describe('Writes that make no progress', () => {
  let server: Server;
  let sockets: Socket[];

  beforeEach(async () => {
    sockets = [];
    server = createServer((request, response) => {
      sockets.push(request.socket);
      response.end(Buffer.alloc(request.url === '/long' ? MORE_THAN_KERNELS_TAKE : 10));
    });
    server.keepAliveTimeout = 600_000;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const clientOf = async (path: string) => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    await once(client, 'connect');
    client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    return client;
  };

  it('close their connection, even if the client keeps sending', async () => {
    endStalledWrites(server, STALLED_MS);
    const client = await clientOf('/long');
    while (sockets.length === 0) await delay(5);
    client.write('GET / HTTP/1.1\r\n');
    const sending = setInterval(() => client.write('a: b\r\n'), 20);
    await once(sockets[0] as Socket, 'close');
    clearInterval(sending);
    client.destroy();
  });

  it('do not include writes to a client that reads slowly', async () => {
    const timers = jest.spyOn(globalThis, 'setInterval');
    // An interval that never elapses during the test.
    endStalledWrites(server, 3_600_000);
    const [look] = timers.mock.calls[0] ?? [];
    timers.mockRestore();
    const client = await clientOf('/long');
    let received = 0;
    client.on('data', (chunk: Buffer) => (received += chunk.length));
    for (let n = 1; n <= 2 * CHECKS - 2; n++) {
      client.resume();
      while (received < n * READ_BETWEEN_CHECKS) await delay(1);
      client.pause();
      look?.();
      expect(sockets[0]?.destroyed).toBe(false);
    }
    for (let n = 0; n <= CHECKS; n++) look?.();
    expect(sockets[0]?.destroyed).toBe(true);
    client.destroy();
  });

  it('do not include idle connections', async () => {
    endStalledWrites(server, STALLED_MS);
    const client = await clientOf('/');
    await once(client, 'data');
    await delay(3 * STALLED_MS);
    expect(sockets[0]?.destroyed).toBe(false);
    client.destroy();
  });
});

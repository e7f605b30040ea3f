import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { Redis } from 'ioredis';
import { connectRedis, sentinelOptions } from './connection';

describe('a connection to Redis', () => {
  const sockets: Socket[] = [];
  const { createConnection } = net;
  let server: net.Server;
  let port: number;
  let redis: Redis;

  beforeAll(async () => {
    jest.spyOn(net, 'createConnection').mockImplementation((...to: Parameters<typeof createConnection>) => {
      const socket = createConnection(...to);
      sockets.push(socket);
      return socket;
    });
    server = net.createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });

  afterEach(() => {
    redis.disconnect();
    sockets.splice(0);
  });

  afterAll(() => server.close());

  function failTwice(): void {
    const [socket] = sockets;
    socket?.emit('error', new Error('self-signed certificate'));
    expect(() => socket?.emit('error', new Error('tlsv1 alert decode error'))).not.toThrow();
    expect(sockets).toHaveLength(1);
  }

  it('survives two errors of one socket', async () => {
    redis = connectRedis({ host: '127.0.0.1', port, retryStrategy: () => null });
    await once(redis, 'connect');
    failTwice();
  });

  it('survives two errors of a socket to a Sentinel', async () => {
    redis = connectRedis({
      ...sentinelOptions({
        kind: 'sentinel',
        sentinels: [{ host: '127.0.0.1', port }],
        name: 'main',
        credentials: {},
        sentinelCredentials: {},
        db: 0,
        tls: false,
      }),
      retryStrategy: () => null,
    });
    await once(server, 'connection');
    failTwice();
  });
});

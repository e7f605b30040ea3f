import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { connectRedis } from './connection';

describe('a connection to Redis', () => {
  it('survives two errors of one socket', async () => {
    const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const redis = connectRedis({ host: '127.0.0.1', port, retryStrategy: () => null });
    await once(redis, 'connect');
    redis.stream.emit('error', new Error('self-signed certificate'));
    expect(() => redis.stream.emit('error', new Error('tlsv1 alert decode error'))).not.toThrow();
    redis.disconnect();
    server.close();
  });
});

import { parseRedisAddress } from './redis-address';

describe('REDIS_URL', () => {
  it.each([
    ['redis://h', { kind: 'server', url: 'redis://h' }],
    ['rediss://:p@h:1/2', { kind: 'server', url: 'rediss://:p@h:1/2' }],
    [
      'redis-cluster://a,b:7000,[::1]:7001',
      {
        kind: 'cluster',
        nodes: [
          { host: 'a', port: 6379 },
          { host: 'b', port: 7000 },
          { host: '::1', port: 7001 },
        ],
        credentials: {},
        tls: false,
      },
    ],
    [
      'redis-cluster://me:p%40%2F%2C@a/0?tls=true',
      {
        kind: 'cluster',
        nodes: [{ host: 'a', port: 6379 }],
        credentials: { username: 'me', password: 'p@/,' },
        tls: true,
      },
    ],
    [
      'redis-sentinel://a,b:1/my-master',
      {
        kind: 'sentinel',
        sentinels: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 1 },
        ],
        name: 'my-master',
        credentials: {},
        sentinelCredentials: {},
        db: 0,
        tls: false,
      },
    ],
    [
      'redis-sentinel://:p@a/m?db=3&tls=true&sentinelUsername=s&sentinelPassword=q%26',
      {
        kind: 'sentinel',
        sentinels: [{ host: 'a', port: 26379 }],
        name: 'm',
        credentials: { password: 'p' },
        sentinelCredentials: { username: 's', password: 'q&' },
        db: 3,
        tls: true,
      },
    ],
  ])('%s is read', (url, address) => {
    expect(parseRedisAddress(url)).toEqual(address);
  });

  it.each([
    ['http://SECRET@h', 'starts with redis://'],
    ['redis', 'starts with redis://'],
    ['redis://SECRET@a,b', 'a single host'],
    ['redis://a:6379,b:6379', 'a single host'],
    ['redis://h:port', 'such as redis://'],
    ['redis://h/SECRET', 'number of a database'],
    ['redis://h/1/2', 'number of a database'],
    ['rediss://h?db=SECRET', 'number of a database'],
    ['redis-cluster://', 'list hosts'],
    ['redis-cluster://a,,b', 'list hosts'],
    ['redis-cluster://a:SECRET', 'list hosts'],
    ['redis-cluster://a:99999', 'list hosts'],
    ['redis-cluster://a/1', 'only database 0'],
    ['redis-cluster://a?db=1', 'no parameters other than tls'],
    ['redis-cluster://a?tls=SECRET', 'true or false as tls'],
    ['redis-cluster://me:SECRET%@a', 'as %25'],
    ['redis-cluster://me:SEC@RET@a', 'percent-encoded'],
    ['redis-cluster:a', 'redis-cluster://host,host'],
    ['redis-sentinel://a,b', 'the name of the master'],
    ['redis-sentinel://a,b/', 'the name of the master'],
    ['redis-sentinel://a/m/1', 'the name of the master'],
    ['redis-sentinel://a/m?db=x', 'number of a database'],
    ['redis-sentinel://a/m?SECRET=x', 'no parameters other than db'],
  ])('%s is refused', (url, message) => {
    const parse = () => parseRedisAddress(url);
    expect(parse).toThrow(message);
    expect(parse).not.toThrow('SECRET');
  });
});

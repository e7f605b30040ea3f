export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

interface Credentials {
  readonly username?: string;
  readonly password?: string;
}

export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string }
  | {
      readonly kind: 'sentinel';
      readonly sentinels: readonly HostAndPort[];
      /** The master's name in Sentinel. */
      readonly name: string;
      readonly credentials: Credentials;
      readonly sentinelCredentials: Credentials;
      readonly db: number;
      readonly tls: boolean;
    }
  | {
      readonly kind: 'cluster';
      readonly nodes: readonly HostAndPort[];
      readonly credentials: Credentials;
      readonly tls: boolean;
    };

/** The message describes a valid REDIS_URL, without quoting the given one. */
export class BadRedisAddress extends Error {}

const LIST = /^redis-(sentinel|cluster):\/\/(?:([^@]*)@)?([^/?#@]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const HOST = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/i;
const DB = /^\d{1,5}$/;
const SENTINEL_PORT = 26_379;
const PORT = 6_379;

/**
 * Reads `redis://`, `rediss://`, `redis-sentinel://[user:password@]host[:port],…/name[?db=&tls=&sentinelPassword=]` and
 * `redis-cluster://[user:password@]host[:port],…[?tls=]`.
 * @throws BadRedisAddress
 */
export function parseRedisAddress(text: string): RedisAddress {
  const list = LIST.exec(text);
  if (!list) return { kind: 'server', url: serverUrl(text) };
  const [, kind, userInfo, hosts = '', path = '', query = ''] = list;
  const credentials = readUserInfo(userInfo);
  if (kind === 'cluster') {
    if (path !== '' && path !== '0') {
      throw new BadRedisAddress('must not name a database: a cluster has only database 0');
    }
    const { tls } = readQuery(query, ['tls']);
    return { kind, nodes: readHosts(hosts, PORT, 'redis-cluster://'), credentials, tls: isTrue('tls', tls) };
  }
  if (!path || path.includes('/')) {
    throw new BadRedisAddress(
      'must end with the name of the master, as in redis-sentinel://host,host/mymaster',
    );
  }
  const known = ['db', 'tls', 'sentinelUsername', 'sentinelPassword'] as const;
  const { db = '0', tls, sentinelUsername, sentinelPassword } = readQuery(query, known);
  if (!DB.test(db)) throw new BadRedisAddress('must have the number of a database as db');
  return {
    kind: 'sentinel',
    sentinels: readHosts(hosts, SENTINEL_PORT, 'redis-sentinel://'),
    name: decode(path),
    credentials,
    sentinelCredentials: {
      ...(sentinelUsername && { username: sentinelUsername }),
      ...(sentinelPassword && { password: sentinelPassword }),
    },
    db: Number(db),
    tls: isTrue('tls', tls),
  };
}

function serverUrl(text: string): string {
  if (!/^rediss?:\/\//.test(text)) {
    throw new BadRedisAddress(
      /^redis-(sentinel|cluster):/.test(text)
        ? 'must be as redis-sentinel://host,host/name or redis-cluster://host,host, with special characters of ' +
            'the password percent-encoded'
        : 'must be a URL that starts with redis://, rediss://, redis-sentinel:// or redis-cluster://',
    );
  }
  const authority = text.slice(text.indexOf('//') + 2).split(/[/?#]/, 1)[0] ?? '';
  if (authority.slice(authority.lastIndexOf('@') + 1).includes(',')) {
    throw new BadRedisAddress(
      'must have a single host; several are written redis-sentinel://host,host/name or redis-cluster://host,host',
    );
  }
  const url = URL.parse(text);
  if (!url) throw new BadRedisAddress('must be a URL such as redis://redis.example.com:6379');
  if (!DB.test(databaseOf(url))) {
    throw new BadRedisAddress('must have the number of a database as its path, as in redis://host:6379/1');
  }
  return text;
}

function databaseOf({ pathname, searchParams }: URL): string {
  return pathname.slice(1) || (searchParams.get('db') ?? '0');
}

/** The database number, as written in REDIS_URL. */
export function redisDatabase(address: RedisAddress): string {
  if (address.kind === 'server') return databaseOf(new URL(address.url));
  return address.kind === 'sentinel' ? String(address.db) : '0';
}

function readHosts(text: string, defaultPort: number, start: string): HostAndPort[] {
  return text.split(',').map((entry) => {
    const [, v6, name, port = String(defaultPort)] = HOST.exec(entry) ?? [];
    const host = v6 ?? name;
    if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
      throw new BadRedisAddress(
        `must list hosts, each with or without a port, as in ${start}host:${defaultPort},host`,
      );
    }
    return { host, port: Number(port) };
  });
}

function readUserInfo(userInfo: string | undefined): Credentials {
  if (userInfo === undefined) return {};
  const colon = userInfo.indexOf(':');
  const [username, password] =
    colon < 0 ? [userInfo, ''] : [userInfo.slice(0, colon), userInfo.slice(colon + 1)];
  return {
    ...(username && { username: decode(username) }),
    ...(password && { password: decode(password) }),
  };
}

function readQuery<Name extends string>(
  query: string,
  known: readonly Name[],
): { readonly [name in Name]?: string } {
  const given = [...new URLSearchParams(query)];
  if (given.some(([name]) => !known.includes(name as Name))) {
    throw new BadRedisAddress(`must have no parameters other than ${known.join(', ')}`);
  }
  return Object.fromEntries(given) as { [name in Name]?: string };
}

function isTrue(name: string, value = 'false'): boolean {
  if (value !== 'true' && value !== 'false') throw new BadRedisAddress(`must have true or false as ${name}`);
  return value === 'true';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BadRedisAddress('must have each % of a name or password percent-encoded, as %25');
  }
}

import { z } from 'zod';
import { BadEncryptionKeys, type EncryptionKey, parseEncryptionKeys } from './encryption-keys';
import { parseDnsServers } from './dns-servers';
import { InvalidConfiguration } from './invalid-configuration';
import { issuer, NEWCOMER_ROLES, type OidcSettings } from './oidc-settings';
import { readOidcSettings, readPasswordLogin } from './oidc-settings';
import { withSecretFiles } from './secret-files';
import { BadDatabaseUrl, serverUrls } from './database-url';
import { BadRedisAddress, parseRedisAddress } from './redis-address';
import { hasBareCharacters } from './store-url';

export const MAX_STREAM_SHARDS = 64;

const origin = (name: string) =>
  z
    .string()
    .transform((value, ctx) => {
      const url = URL.parse(value);
      if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.username) {
        ctx.addIssue({ code: 'custom', message: `must be an origin such as https://${name}.example.com` });
        return z.NEVER;
      }
      return url.origin;
    })
    .optional();

const url = (...protocols: string[]) =>
  z
    .string()
    .refine((value) => protocols.includes(URL.parse(value)?.protocol ?? ''), {
      message: `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    })
    .optional();

const dnsServers = z
  .string()
  .transform((value, ctx) => {
    const servers = parseDnsServers(value);
    if (servers) return servers;
    ctx.addIssue({
      code: 'custom',
      message: 'must be IP addresses with or without a port, such as [::1]:53',
    });
    return z.NEVER;
  })
  .optional();

const word = z.enum(['true', 'false']);
const isTrue = (value: string) => value === 'true';
const flag = word.default('false').transform(isTrue);

const number = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

const count = (min: number, max: number, fallback: number) => number(min, max).default(fallback);

/** `off`, `all`, or a rate from 0 to 1. */
function readShare(value: string, ctx: z.core.$RefinementCtx<string>): number {
  if (value === 'off') return 0;
  if (value === 'all') return 1;
  if (/^(?:0?\.\d{1,9}|[01](?:\.0{1,9})?)$/.test(value)) return Number(value);
  ctx.addIssue({ code: 'custom', message: 'must be off, all, or a rate from 0 to 1 such as 0.01' });
  return z.NEVER;
}

const id = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be an id')
  .transform(Number)
  .optional();

/** @param bad class of the errors of `parse` whose message does not reveal the value */
const storeUrl = (parse: (value: string) => unknown, bad: new () => Error) =>
  z
    .string()
    .superRefine((value, ctx) => {
      if (hasBareCharacters(value)) {
        ctx.addIssue({
          code: 'custom',
          message:
            'must have special characters of user name and password percent-encoded, such as @ as %40 and / as %2F',
        });
        return;
      }
      try {
        parse(value);
      } catch (error) {
        if (!(error instanceof bad)) throw error;
        ctx.addIssue({ code: 'custom', message: error.message });
      }
    })
    .optional();

const redisUrl = storeUrl(parseRedisAddress, BadRedisAddress);
const databaseUrl = storeUrl(serverUrls, BadDatabaseUrl);
const replicaUrl = storeUrl((value) => {
  if (serverUrls(value).length > 1) throw new BadDatabaseUrl('must have a single host');
}, BadDatabaseUrl);

const encryptionKeys = z
  .string()
  .transform((value, ctx) => {
    try {
      return parseEncryptionKeys(value);
    } catch (error) {
      if (!(error instanceof BadEncryptionKeys)) throw error;
      ctx.addIssue({ code: 'custom', message: error.message });
      return z.NEVER;
    }
  })
  .optional();

/** Environment variables with format and default; docs/settings.md describes each. */
const environment = z.object({
  NODE_ENV: z.string().default('production'),
  ROLE: z.enum(['web', 'worker', 'all']).default('all'),
  HOST: z.string().min(1).optional(),
  PORT: count(0, 65_535, 3000),
  OPERATIONS_HOST: z.string().min(1).optional(),
  OPERATIONS_PORT: number(0, 65_535).optional(),
  BASE_URL: origin('api'),
  SHORT_URL_BASE: origin('go'),
  SHORT_ROOT_URL: url('http:', 'https:'),
  SHORT_NOT_FOUND_URL: url('http:', 'https:'),
  SHORT_EXPIRED_URL: url('http:', 'https:'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: databaseUrl,
  DATABASE_DIRECT_URL: databaseUrl,
  DATABASE_REPLICA_URL: replicaUrl,
  REPLICA_MAX_LAG: count(1, 60, 5),
  DATABASE_PREPARED: z.enum(['auto', 'true', 'false']).default('auto'),
  DATABASE_POOL: count(2, 200, 10),
  REDIS_URL: redisUrl,
  REDIS_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,40}$/, 'must be 1 to 40 letters, digits, ".", "-" or "_"')
    .default('wp'),
  TRUST_PROXY: z.string().optional(),
  CONSOLE_TOKEN: z
    .string()
    .min(24, 'must have at least 24 characters')
    .regex(/^[!-~]+$/, 'must be printable ASCII without spaces, since it is sent in a header')
    .optional(),
  ENCRYPTION_KEYS: encryptionKeys,
  PASSWORD_LOGIN: word.default('true').transform(isTrue),
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_LABEL: z.string().max(100, 'must have at most 100 characters').optional(),
  OIDC_DEFAULT_ROLE: z.enum(NEWCOMER_ROLES).optional(),
  OIDC_DEFAULT_ORGANIZATION: id,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  REDIRECT_LOG: z.string().default('off').transform(readShare),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:'),
  OTEL_SERVICE_NAME: z.string().min(1).default('waypost'),
  GEOIP_DATABASE: z.string().min(1).optional(),
  DESTINATION_DENY_LIST: z.string().min(1).optional(),
  OUTBOUND_ALLOW_PRIVATE: flag,
  OG_FETCH: word.default('true').transform(isTrue),
  LINK_HEALTH: word.default('true').transform(isTrue),
  DNS_SERVERS: dnsServers,
  REDIRECT_CACHE_ENTRIES: count(100, 10_000_000, 100_000),
  CLICK_STREAM_SHARDS: count(1, MAX_STREAM_SHARDS, 1),
  CLICK_BATCH: count(1, 100_000, 40_000),
  DEMO_CLICKS: count(1, 10_000_000, 300_000),
});

export type Role = 'web' | 'worker' | 'all';

/** The validated settings, read once at start. A class only so that Nest can inject them: they are a plain object. */
export abstract class Config {
  readonly role!: Role;
  /** Addresses to listen on; loopback (IPv4 and IPv6) by default. */
  readonly listenHosts!: readonly string[];
  readonly port!: number;
  /** Where health checks and metrics are served, for any host name; null: with the API, on `port`. */
  readonly operations!: { readonly hosts: readonly string[]; readonly port: number } | null;
  /** Origin of the API, such as `https://api.example.com`. */
  readonly baseUrl!: string;
  /** Origin of default short URLs. */
  readonly shortUrlBase!: string;
  /** Where the default short domain redirects instead of showing a page of its own. */
  readonly shortDomain!: {
    readonly rootUrl: string | null;
    readonly notFoundUrl: string | null;
    readonly expiredUrl: string | null;
  };
  readonly dataDir!: string;
  /** In the form of `serverUrls`; undefined: an embedded Postgres in `dataDir`. */
  readonly databaseUrl!: string | undefined;
  /** URL that bypasses a connection pooler; undefined: `databaseUrl` is direct. */
  readonly databaseDirectUrl!: string | undefined;
  /** Undefined: everything is read from the primary. */
  readonly databaseReplicaUrl!: string | undefined;
  readonly replicaMaxLagMs!: number;
  /** Whether statements are prepared by name; `auto` detects at the start what a pooler supports. */
  readonly databasePrepared!: 'auto' | 'true' | 'false';
  readonly databasePool!: number;
  /** In one of the forms of `parseRedisAddress`; undefined: a single process without Redis. */
  readonly redisUrl!: string | undefined;
  readonly redisPrefix!: string;
  /** Hop count, or a list of addresses and CIDRs, in the format of `proxy-addr`. */
  readonly trustProxy!: number | readonly string[];
  readonly consoleToken!: string | undefined;
  /** Keys for data at rest, the active one first; undefined: those in `dataDir`, with an embedded Postgres. */
  readonly encryptionKeys!: readonly EncryptionKey[] | undefined;
  /** Null: sign-in with an identity provider is disabled. */
  readonly oidc!: OidcSettings | null;
  readonly passwordLogin!: boolean;
  readonly logLevel!: string;
  /** OTLP/HTTP endpoint for spans, and the name of the service in them; null: no tracing. */
  readonly tracing!: { readonly url: string; readonly serviceName: string } | null;
  readonly geoipDatabase!: string | undefined;
  readonly destinationDenyList!: string | undefined;
  readonly outboundAllowPrivate!: boolean;
  /** Whether missing Open Graph fields are read from the destination pages. */
  readonly ogFetch!: boolean;
  /** Whether the destinations of links and campaigns are checked. */
  readonly linkHealth!: boolean;
  /** Name servers with ports, for outgoing calls and domain checks; empty means those of the system. */
  readonly dnsServers!: readonly string[];
  /** `logRate` is the share of redirects that are logged, 0 to 1. */
  readonly redirect!: { readonly cacheEntries: number; readonly logRate: number };
  readonly clicks!: { readonly streamShards: number; readonly batch: number };
  /** Number of clicks that `npm run demo` creates. */
  readonly demoClicks!: number;
}

/**
 * Reads the settings from environment variables and the files that they name; an empty variable counts as unset.
 * @throws InvalidConfiguration naming every invalid variable, without its value (it may be a secret)
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { settings, problems } = withSecretFiles(given, Object.keys(environment.shape));
  const parsed = environment.safeParse(settings);
  if (!parsed.success || problems.length > 0) {
    const invalid = parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? [];
    throw new InvalidConfiguration([...problems, ...invalid].join('\n'));
  }
  const e = parsed.data;
  const shortUrlBase = e.SHORT_URL_BASE ?? `http://localhost:${e.PORT}`;
  const oidc = readOidcSettings(e);
  const listenHosts = e.HOST ? [e.HOST] : ['127.0.0.1', '::1'];
  return {
    role: e.ROLE,
    listenHosts,
    port: e.PORT,
    operations: readOperations(e, listenHosts),
    baseUrl: e.BASE_URL ?? `http://127.0.0.1:${e.PORT}`,
    shortUrlBase,
    shortDomain: {
      rootUrl: elsewhere(shortUrlBase, 'SHORT_ROOT_URL', e.SHORT_ROOT_URL),
      notFoundUrl: elsewhere(shortUrlBase, 'SHORT_NOT_FOUND_URL', e.SHORT_NOT_FOUND_URL),
      expiredUrl: elsewhere(shortUrlBase, 'SHORT_EXPIRED_URL', e.SHORT_EXPIRED_URL),
    },
    dataDir: e.DATA_DIR,
    databaseUrl: e.DATABASE_URL,
    databaseDirectUrl: beside(e.DATABASE_URL, 'DATABASE_DIRECT_URL', e.DATABASE_DIRECT_URL),
    databaseReplicaUrl: beside(e.DATABASE_URL, 'DATABASE_REPLICA_URL', e.DATABASE_REPLICA_URL),
    replicaMaxLagMs: e.REPLICA_MAX_LAG * 1_000,
    databasePrepared: e.DATABASE_PREPARED,
    databasePool: e.DATABASE_POOL,
    redisUrl: e.REDIS_URL,
    redisPrefix: e.REDIS_PREFIX,
    trustProxy: readTrustProxy(e.TRUST_PROXY),
    consoleToken: e.CONSOLE_TOKEN,
    encryptionKeys: e.ENCRYPTION_KEYS,
    oidc,
    passwordLogin: readPasswordLogin(e.PASSWORD_LOGIN, oidc),
    logLevel: e.LOG_LEVEL,
    tracing: readTracing(e),
    geoipDatabase: e.GEOIP_DATABASE,
    destinationDenyList: e.DESTINATION_DENY_LIST,
    outboundAllowPrivate: e.OUTBOUND_ALLOW_PRIVATE,
    ogFetch: e.OG_FETCH,
    linkHealth: e.LINK_HEALTH,
    dnsServers: e.DNS_SERVERS ?? [],
    redirect: { cacheEntries: e.REDIRECT_CACHE_ENTRIES, logRate: e.REDIRECT_LOG },
    clicks: { streamShards: e.CLICK_STREAM_SHARDS, batch: e.CLICK_BATCH },
    demoClicks: e.DEMO_CLICKS,
  };
}

function readOperations(
  { PORT, OPERATIONS_HOST, OPERATIONS_PORT }: z.infer<typeof environment>,
  listenHosts: readonly string[],
): Config['operations'] {
  if (OPERATIONS_PORT === undefined) {
    if (OPERATIONS_HOST === undefined) return null;
    throw new InvalidConfiguration('OPERATIONS_HOST: needs OPERATIONS_PORT');
  }
  if (OPERATIONS_PORT === PORT && PORT !== 0) {
    throw new InvalidConfiguration('OPERATIONS_PORT: must differ from PORT');
  }
  return { hosts: OPERATIONS_HOST ? [OPERATIONS_HOST] : listenHosts, port: OPERATIONS_PORT };
}

/** The URL of another route to the database of DATABASE_URL. */
function beside(
  databaseUrl: string | undefined,
  name: string,
  value: string | undefined,
): string | undefined {
  if (value !== undefined && databaseUrl === undefined) {
    throw new InvalidConfiguration(`${name}: needs DATABASE_URL`);
  }
  return value;
}

function readTracing({
  OTEL_EXPORTER_OTLP_ENDPOINT,
  OTEL_SERVICE_NAME,
}: z.infer<typeof environment>): Config['tracing'] {
  if (OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  const url = `${OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, '')}/v1/traces`;
  return { url, serviceName: OTEL_SERVICE_NAME };
}

/** Rejects redirects to the short domain itself, which could loop. */
function elsewhere(shortUrlBase: string, name: string, value: string | undefined): string | null {
  if (value === undefined) return null;
  if (new URL(value).host === new URL(shortUrlBase).host) {
    throw new InvalidConfiguration(`${name}: must point to a host other than that of SHORT_URL_BASE`);
  }
  return value;
}

function readTrustProxy(value: string | undefined): number | string[] {
  if (value === undefined) return 0;
  if (/^\d{1,2}$/.test(value)) return Number(value);
  const list = value.split(',').map((entry) => entry.trim());
  const named = new Set(['loopback', 'linklocal', 'uniquelocal']);
  if (!list.every((entry) => named.has(entry) || isAddressOrCidr(entry))) {
    throw new InvalidConfiguration(
      'TRUST_PROXY: must be a number of proxies or a list of addresses and CIDRs',
    );
  }
  return list;
}

function isAddressOrCidr(entry: string): boolean {
  return z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).safeParse(entry).success;
}

import { execFile, execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config/config';
import { readSettings } from './settings';

const ROOT = resolve(__dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

interface Service {
  image: string;
  mem_limit?: string;
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  networks: string[];
  ports?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  restart: string;
  read_only?: boolean;
  cap_drop?: string[];
  stop_grace_period?: string;
}

interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
}

interface Deployment {
  kind: string;
  spec: { template: { spec: { containers: Container[] } } };
}

interface Container {
  env: { name: string; value: string }[];
  ports: { name: string; containerPort: number }[];
  livenessProbe: { httpGet: { path: string; port: string } };
  readinessProbe: { httpGet: { path: string; port: string } };
  startupProbe: { periodSeconds: number; failureThreshold: number };
  resources: { limits: { memory: string } };
}

describe('docker/compose.yaml', () => {
  const text = read('docker/compose.yaml');
  const compose = parse(text, { merge: true }) as Compose;
  const { services } = compose;
  const apps = ['web-1', 'web-2', 'worker'].map((name) => services[name]);

  it('runs two web processes, a worker, the stores, backups and the proxy, each within its memory', () => {
    const names = ['web-1', 'web-2', 'worker', 'postgres', 'backup', 'redis', 'caddy'];
    expect(Object.keys(services)).toEqual(names);
    for (const service of Object.values(services)) expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(apps.map((app) => app?.environment?.ROLE)).toEqual(['web', 'web', 'worker']);
    expect(new Set(apps.map((app) => app?.image)).size).toBe(1);
  });

  it('sets only known settings of the application', () => {
    const known = readSettings(ROOT);
    for (const app of apps) {
      const names = Object.keys(app?.environment ?? {}).map((name) => name.replace(/_FILE$/, ''));
      expect(names.filter((name) => !known.has(name))).toEqual([]);
      expect(app?.environment).toMatchObject({ TRUST_PROXY: '1', REDIS_URL: 'redis://redis:6379' });
    }
  });

  it('requires what .env.example lists, and contains no secrets', () => {
    const required = new Set([...text.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name));
    const listed = [...read('docker/.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    expect([...required].sort()).toEqual([...listed].sort());
    for (const { environment = {}, secrets = [] } of Object.values(services)) {
      const given = Object.entries(environment).filter(([name]) =>
        /DATABASE_URL|PASSWORD|TOKEN|SECRET|KEY/.test(name),
      );
      expect(given.map(([name]) => name)).toEqual(given.map(() => expect.stringMatching(/_FILE$/)));
      expect(given.map(([, path]) => path)).toEqual(secrets.map((name) => `/run/secrets/${name}`));
    }
    const used = Object.values(services).flatMap(({ secrets = [] }) => secrets);
    expect(Object.keys(compose.secrets).sort()).toEqual([...new Set(used)].sort());
  });

  it('starts in order, restarts, and stops gracefully', () => {
    for (const service of Object.values(services)) {
      expect(service.restart).toBe('unless-stopped');
      for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
        expect(services).toHaveProperty(name);
        expect(condition).toBe('service_healthy');
      }
    }
    expect(apps.map((app) => app?.stop_grace_period)).toEqual(['15s', '15s', '15s']);
    expect(['postgres', 'backup', 'redis', 'caddy'].filter((name) => !services[name]?.healthcheck)).toEqual(
      [],
    );
  });

  it('publishes only the proxy, and keeps the stores on an internal network', () => {
    const open = Object.entries(services).filter(([, service]) => service.ports);
    expect(open.map(([name]) => name)).toEqual(['caddy']);
    expect(compose.networks.stores).toEqual({ internal: true });
    for (const name of ['postgres', 'backup', 'redis']) expect(services[name]?.networks).toEqual(['stores']);
  });

  it('lets the application write only to its data folder', () => {
    for (const app of apps) {
      expect(app).toMatchObject({ read_only: true, cap_drop: ['ALL'], volumes: ['data:/data'] });
    }
  });

  it('takes images that docker/.env may pin, with the same defaults everywhere', () => {
    const defaults = new Map(
      [...text.matchAll(/\$\{([A-Z]+_IMAGE):-([^}]+)\}/g)].map(([, a = '', b = '']) => [a, b]),
    );
    const pinned = [...read('docker/.env.example').matchAll(/^# ([A-Z]+_IMAGE)=(.+)@sha256:…$/gm)];
    expect(new Map(pinned.map(([, name = '', image = '']) => [name, image]))).toEqual(defaults);
    expect(read('docker/Dockerfile')).toContain(`\nARG NODE_IMAGE=${defaults.get('NODE_IMAGE')}\n`);
    // pg_dump must not be older than the server.
    expect(services.backup?.image).toBe(services.postgres?.image);
    for (const { image } of Object.values(services)) {
      expect(image).toMatch(/^\$\{[A-Z]+_IMAGE:-[a-z]+:\d+\}$|^waypost:/);
    }
  });

  it('mounts scripts that are there', () => {
    const files = Object.values(services)
      .flatMap((service) => service.volumes ?? [])
      .filter((volume) => volume.startsWith('./'))
      .map((volume) => volume.split(':')[0] ?? '');
    expect(files.sort()).toEqual(['./Caddyfile', './backup.sh', './restore.sh']);
    expect(files.filter((file) => !existsSync(join(ROOT, 'docker', file)))).toEqual([]);
    const run = services.backup?.command?.[1] ?? '';
    expect(services.backup?.volumes).toContain(`./backup.sh:${run}:ro`);
  });

  it('persists the stores', () => {
    expect(services.postgres?.volumes).toEqual(['postgres:/var/lib/postgresql']);
    expect(services.redis?.volumes).toEqual(['redis:/data']);
    const redis = services.redis?.command?.join(' ');
    expect(redis).toContain('--appendonly yes --appendfsync everysec --maxmemory-policy noeviction');
    expect(services.backup?.environment?.BACKUP_DIR).toBe('/backups');
    expect(services.backup?.volumes).toContain('backups:/backups');
    const mounted = Object.values(services).flatMap((service) => service.volumes ?? []);
    const named = mounted.map((volume) => volume.split(':')[0] ?? '').filter((name) => !name.startsWith('.'));
    expect([...new Set(named)].sort()).toEqual(Object.keys(compose.volumes).sort());
  });
});

describe('docker/make-secrets.sh', () => {
  const { secrets } = parse(read('docker/compose.yaml'), { merge: true }) as Compose;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'waypost-docker-'));
    copyFileSync(join(ROOT, 'docker/make-secrets.sh'), join(folder, 'make-secrets.sh'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs the script. @returns the created files, by their paths in compose.yaml, with content */
  const run = () => {
    execFileSync('sh', [join(folder, 'make-secrets.sh')]);
    const files = Object.values(secrets).map(({ file }) => file);
    return new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  };
  const configOf = () =>
    readConfig({
      DATABASE_URL_FILE: join(folder, 'secrets/database_url'),
      CONSOLE_TOKEN_FILE: join(folder, 'secrets/console_token'),
      ENCRYPTION_KEYS_FILE: join(folder, 'secrets/encryption_keys'),
    });

  it('creates every secret of compose.yaml once, readable in containers but not beside them', () => {
    const created = run();
    expect(readdirSync(join(folder, 'secrets')).sort()).toEqual(Object.keys(secrets).sort());
    expect(run()).toEqual(created);
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
    for (const file of created.keys()) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o444);
    const password = created.get('./secrets/postgres_password')?.trim() ?? 'none';
    expect(configOf().databaseUrl).toBe(`postgres://waypost:${password}@postgres:5432/waypost`);
  });

  it('takes over the secrets of an older docker/.env', () => {
    const keys = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
    const old = [
      'POSTGRES_PASSWORD=old',
      'CONSOLE_TOKEN=the-token-of-an-older-version',
      `ENCRYPTION_KEYS=${keys}`,
    ];
    writeFileSync(join(folder, '.env'), old.join('\n'));
    run();
    expect(configOf()).toMatchObject({
      databaseUrl: 'postgres://waypost:old@postgres:5432/waypost',
      consoleToken: 'the-token-of-an-older-version',
      encryptionKeys: [{ id: 'k1' }],
    });
  });
});

describe('docker/Caddyfile', () => {
  const text = read('docker/Caddyfile');

  it('balances its braces and uses variables set by compose', () => {
    const code = text.replaceAll(/#.*$/gm, '').replaceAll(/\{\$([A-Z_]+)\}/g, '');
    expect(code.split('{').length).toBe(code.split('}').length);
    const { caddy } = (parse(read('docker/compose.yaml'), { merge: true }) as Compose).services;
    const used = new Set([...text.matchAll(/\{\$([A-Z_]+)\}/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual(Object.keys(caddy?.environment ?? {}).sort());
  });

  it('checks with the service before it requests a certificate, through a listener that sets the host of the API', () => {
    const [, listener] = /ask (http:\/\/127\.0\.0\.1:\d+)\/internal\/tls-check\n/.exec(text) ?? [];
    expect(text).toContain(
      `\n${listener ?? 'no ask'} {\n\tbind 127.0.0.1\n\trequest_header Host {$API_HOST}\n`,
    );
  });
});

describe('docker/prometheus/rules.yml', () => {
  const { groups } = parse(read('docker/prometheus/rules.yml')) as {
    groups: { rules: { alert: string; annotations: Record<string, string> }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);

  it('has alerts that say what is wrong and what to do', () => {
    for (const { annotations } of rules) expect(Object.keys(annotations)).toEqual(['summary', 'action']);
  });

  it('has alerts that a fault test makes fire', () => {
    const tests = ['alerts', 'replica'].map((name) => read(`test/faults/${name}.spec.ts`)).join('');
    const fired = [...tests.matchAll(/'(Waypost\w+)'/g)].map(([, name]) => name);
    expect([...new Set(fired)].sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });
});

describe('Probes of docker/', () => {
  const { services } = parse(read('docker/compose.yaml'), { merge: true }) as Compose;
  const port = services['web-1']?.environment?.OPERATIONS_PORT ?? 'none';

  it('ask the operations port of the compose file', () => {
    expect(read('docker/Caddyfile')).toContain(`health_uri /health/ready\n\t\thealth_port ${port}\n`);
    const haproxy = read('docker/haproxy.cfg');
    expect(haproxy.match(/option httpchk GET \/health\/ready\n/g)).toHaveLength(2);
    expect(haproxy.match(new RegExp(`default-server check port ${port} `, 'g'))).toHaveLength(2);
    expect(read('docker/nginx.conf')).toContain(`health_check uri=/health/ready port=${port} `);
  });

  it('in Kubernetes are those of each role', () => {
    const documents = parseAllDocuments(read('docker/kubernetes.yaml')).map(
      (document) => document.toJS() as Deployment,
    );
    const [web, worker] = documents
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ spec }) => spec.template.spec.containers[0]);
    for (const [container, role, ready] of [
      [web, 'web', '/health/ready'],
      [worker, 'worker', '/health/ready?for=worker'],
    ] as const) {
      expect(container?.env).toEqual([
        { name: 'ROLE', value: role },
        { name: 'OPERATIONS_PORT', value: port },
      ]);
      expect(container?.ports).toContainEqual({ name: 'operations', containerPort: Number(port) });
      expect(container?.livenessProbe.httpGet).toEqual({ path: '/health/live', port: 'operations' });
      expect(container?.readinessProbe.httpGet).toEqual({ path: ready, port: 'operations' });
      expect(container?.resources.limits.memory).toMatch(/^\d+Gi$/);
      expect(container?.startupProbe).toMatchObject({ periodSeconds: 2, failureThreshold: 1_800 });
    }
  });
});

describe('docker/Dockerfile', () => {
  const lines = read('docker/Dockerfile')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line));
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  it('builds in one stage and runs in another, as an ordinary user', () => {
    expect(lines.filter((line) => line.startsWith('FROM '))).toEqual([
      'FROM ${NODE_IMAGE} AS build',
      'FROM ${NODE_IMAGE}',
    ]);
    expect(last).toContain('USER node');
    expect(last.indexOf('USER node')).toBeGreaterThan(last.findLastIndex((line) => line.startsWith('COPY ')));
    expect(last.find((line) => line.startsWith('HEALTHCHECK'))).toContain('"docker/healthcheck.mjs"');
    const started = (JSON.parse(read('package.json')) as { scripts: { start: string } }).scripts.start;
    const [command = ''] = /node --.*$/.exec(started) ?? [];
    expect(command).toMatch(/ dist\/src\/main\.js$/);
    expect(last.at(-1)).toBe(`CMD ["${command.split(' ').join('", "')}"]`);
  });

  it('copies existing files that .dockerignore includes', () => {
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1));
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    expect(copied.length).toBeGreaterThan(6);
    expect(copied.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect([...new Set(copied)].sort()).toEqual(allowed.map((line) => line.slice(1)).sort());
  });

  it('contains no secrets', () => {
    expect(lines.filter((line) => /(PASSWORD|TOKEN|SECRET|_KEY|DATABASE_URL=)/.test(line))).toEqual([]);
  });
});

describe('docker/healthcheck.mjs', () => {
  const check = async (status: number, setting: 'PORT' | 'OPERATIONS_PORT' = 'PORT') => {
    const asked: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      asked.push(request);
      response.writeHead(status).end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const exit = await runHealthcheck({
      PORT: '1',
      [setting]: String(port),
      BASE_URL: 'https://api.example.com',
    });
    await new Promise((done) => server.close(done));
    return { exit, url: asked[0]?.url, host: asked[0]?.headers.host };
  };

  it('checks the process on the host of BASE_URL', async () => {
    expect(await check(200)).toEqual({ exit: 0, url: '/health/live', host: 'api.example.com' });
  });

  it('asks the operations port where there is one', async () => {
    expect(await check(200, 'OPERATIONS_PORT')).toMatchObject({ exit: 0, url: '/health/live' });
  });

  it('fails on any other response, and on none', async () => {
    expect((await check(404)).exit).toBe(1);
    expect(await runHealthcheck({ PORT: '1' })).toBe(1);
  });
});

/** Exit code of the container's health check. */
function runHealthcheck(env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [join(ROOT, 'docker/healthcheck.mjs')], { env }, () => {
      done(child.exitCode ?? -1);
    });
  });
}

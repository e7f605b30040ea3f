import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Cluster } from 'ioredis';
import { parse, parseAllDocuments } from 'yaml';
import { Customer, visit } from '../faults/customer';
import { Service } from '../faults/service';
import { Stage } from '../faults/stage';
import { eventually } from '../support/eventually';
import { LeftOut } from '../support/left-out';
import { createCluster, Postgres15, POSTGRES_15_PROGRAMS } from '../support/postgres-15';
import { freePort, isOnPath, RedisServer, temporaryFolder } from '../support/servers';
import { type Block, blocks, redisSettings, section } from '../docs/blocks';

const ROOT = resolve(__dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const SCALING = read('docs/scaling.md');
const OPERATIONS = read('docs/operations.md');
const ENVIRONMENT = '# waypost.env\n';
/** Debian packages by program. */
const PROGRAMS = {
  psql: 'postgresql-client',
  'redis-cli': 'redis-server',
  '/usr/sbin/pgbouncer': 'pgbouncer',
  '/usr/sbin/haproxy': 'haproxy',
};
/** Lines that a test cannot run. */
const ELSEWHERE = /^(?:docker|kubectl) .*\n/gm;
const MASTERS = 3;
const POSTGRES = { max_connections: '200' };
const CLUSTER_ADDRESS = /10\.0\.0\.2(\d):6379/g;

/** Ends a test that hangs. Most of them start several processes. */
jest.setTimeout(300_000);

const optionsOf = (settings: Record<string, string>) =>
  Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);

const asStep = ({ language, text }: Block) => `\`\`\`${language}\n${text}\`\`\`\n`;

/** Someone who goes through the document: what stands in place of its addresses, the shell, and what was started. */
class Operator {
  readonly folder = temporaryFolder('scaling');
  readonly services: { service: Service; role: string }[] = [];
  private readonly replacements: [string | RegExp, string | ((...parts: string[]) => string)][] = [];
  private readonly started = join(this.folder, 'started');

  constructor() {
    const bin = join(this.folder, 'bin');
    mkdirSync(bin);
    // Tells what would be started with which environment.
    const record = `require('fs').appendFileSync('${this.started}', JSON.stringify(process.env) + '\\n')`;
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\nexec '${process.execPath}' -e "${record}"\n`);
    writeFileSync(join(bin, 'systemctl'), '#!/bin/sh\n');
    for (const program of ['npm', 'systemctl']) chmodSync(join(bin, program), 0o755);
    for (const file of ['started', 'waypost.env']) writeFileSync(join(this.folder, file), '');
  }

  /** Has `there` stand in place of `here`, which the document must contain. */
  replace(here: string | RegExp, there: string | ((...parts: string[]) => string)): void {
    this.replacements.unshift([here, there]);
  }

  adapted(text: string): string {
    return this.replacements.reduce(
      (result, [here, there]) => result.replaceAll(here, there as string),
      text,
    );
  }

  /** Does what the blocks of a step say. @returns the output of its commands */
  async follow(step: string): Promise<string> {
    let output = '';
    for (const { language, text } of blocks(step)) {
      if (language === 'ini' && text.startsWith(ENVIRONMENT)) this.set(this.adapted(text));
      if (language === 'sh') output += await this.run(this.adapted(text.replaceAll(ELSEWHERE, '')));
    }
    return output;
  }

  async run(commands: string): Promise<string> {
    const [load = ''] = blocks(section(SCALING, '## Steps')).map(({ text }) => text);
    const env = {
      PATH: `${join(this.folder, 'bin')}:${POSTGRES_15_PROGRAMS}:/usr/sbin:${process.env.PATH}`,
      PGHOST: '127.0.0.1',
    };
    const script = `${load}${commands}`;
    const { stdout } = await promisify(execFile)('bash', ['-eu', '-c', script], { cwd: this.folder, env });
    const lines = readFileSync(this.started, 'utf8').split('\n').filter(Boolean);
    writeFileSync(this.started, '');
    for (const line of lines) await this.start(JSON.parse(line) as Record<string, string>);
    return stdout;
  }

  /** Replaces each process by one with the file as it is now, one after the other. */
  async restart(): Promise<void> {
    for (const each of [...this.services]) {
      await this.run(each.role === 'all' ? 'npm start' : `ROLE=${each.role} npm start`);
      await this.stop(each);
    }
  }

  async stop(each: { service: Service }): Promise<void> {
    this.services.splice(
      this.services.findIndex(({ service }) => service === each.service),
      1,
    );
    expect((await each.service.stop()).code).toBe(0);
  }

  /** A process that answers visitors. */
  get web(): Service {
    const web = this.services.find(({ role }) => role !== 'worker')?.service;
    if (!web) throw new Error('No process answers visitors');
    return web;
  }

  private set(text: string): void {
    writeFileSync(join(this.folder, 'waypost.env'), text, { flag: 'a' });
  }

  private async start(recorded: Record<string, string>): Promise<void> {
    const { ROLE: role = 'all', OPERATIONS_PORT } = recorded;
    const service = await Service.start({
      ...recorded,
      ...(OPERATIONS_PORT !== undefined && { OPERATIONS_PORT: String(await freePort()) }),
      PORT: String(await freePort()),
      DATA_DIR: temporaryFolder('service'),
    });
    this.services.push({ service, role });
  }
}

describe('The steps of docs/scaling.md, one after the other', () => {
  const stage = new Stage();
  let operator: Operator;
  let primary: Postgres15;
  let replicaData: string;
  let redis: RedisServer;
  let customer: Customer | undefined;
  let nodes: RedisServer[];
  let visits = 0;

  beforeAll(async () => {
    for (const [program, debian] of Object.entries(PROGRAMS)) {
      if (!isOnPath(program)) throw new LeftOut(`${program} (apt-get install ${debian})`);
    }
    operator = new Operator();
    stage.ending(async () => {
      for (const { service } of operator.services) await service.kill();
    });
    const { folder, data } = createCluster();
    stage.ending(async () => rmSync(folder, { recursive: true, force: true }));
    operator.replace('/var/lib/postgresql/18/main', join(folder, 'replica'));
    replicaData = join(folder, 'replica');
    primary = await Postgres15.launch(data, POSTGRES);
    stage.ending(() => primary.stop());
    // Debian's superuser, in place of one that is called like the service's own role.
    const port = String(primary.port);
    const psql = (user: string, command: string) =>
      execFileSync('psql', ['-qh', '127.0.0.1', '-p', port, '-U', user, '-c', command, 'postgres']);
    psql('waypost', 'CREATE ROLE postgres SUPERUSER LOGIN');
    psql('postgres', 'ALTER ROLE waypost RENAME TO first');
    operator.replace('psql --dbname postgres', `psql --username postgres --port ${port} --dbname postgres`);
    operator.replace('createdb ', `createdb --username postgres --port ${port} `);
    operator.replace('@db.example.com/', `@127.0.0.1:${port}/`);
    operator.replace('--host db.example.com', `--host 127.0.0.1 --port ${port}`);
    operator.replace('host=db.example.com', `host=127.0.0.1 port=${port}`);
  });
  afterAll(() => stage.clear());

  /** Shows that a visit of a new link is counted. */
  async function expectCounting(): Promise<void> {
    const { url } = operator.web;
    const account = (customer ??= await Customer.create(url));
    const link = await account.createLink(url).catch((error: unknown) => {
      throw new Error(operator.web.output, { cause: error });
    });
    expect(await visit(url, link, `198.51.100.${++visits}`)).toBe(302);
    await eventually(async () => {
      const { body } = await account.service<{ clickCount: number }>(url, 'GET', `/urls/${link.id}`);
      expect(body.clickCount).toBe(1);
    });
  }

  it('lead to a Postgres of its own', async () => {
    await operator.follow(section(SCALING, '### Your own Postgres'));
    expect(operator.services).toHaveLength(1);
    await expectCounting();
  });

  it('lead to Redis', async () => {
    redis = await RedisServer.start(optionsOf(redisSettings(OPERATIONS, '# redis.conf')));
    stage.ending(() => redis.end());
    operator.replace('redis://redis.example.com', redis.url);
    for (const each of [...operator.services]) await operator.stop(each);
    await operator.follow(section(SCALING, '### Redis'));
    await expectCounting();
  });

  it('lead to roles, which start beside the process that is there', async () => {
    const [before] = operator.services;
    await operator.follow(section(SCALING, '### Roles'));
    if (before) await operator.stop(before);
    expect(operator.services.map(({ role }) => role)).toEqual(['worker', 'web', 'web']);
    await expectCounting();
  });

  it('lead to another web process behind HAProxy, and another worker', async () => {
    const step = section(SCALING, '### A web process');
    const [added = ''] = blocks(step)
      .filter(({ language }) => language === '')
      .map(({ text }) => text);
    const configuration = read('docker/haproxy.cfg')
      .replaceAll(/^ {4}server web-2 .*\n/gm, `$&${added}`)
      .replace(/ bind .*/, ` bind 127.0.0.1:${await freePort()}`);
    expect(configuration.match(/^ {4}server web-3 10\.0\.0\.13:3000$/gm)).toHaveLength(2);
    const file = join(operator.folder, 'haproxy.cfg');
    writeFileSync(file, configuration);
    operator.replace('/etc/haproxy/haproxy.cfg', file);
    await operator.follow(step);
    await operator.follow(section(SCALING, '### A worker'));
    expect(operator.services.map(({ role }) => role)).toEqual(['worker', 'web', 'web', 'web', 'worker']);
    for (const each of operator.services.slice(0, 3)) await operator.stop(each);
    await expectCounting();
  });

  it('lead to a replica', async () => {
    const step = section(SCALING, '### A replica');
    const settings = blocks(step).filter(({ language }) => language === 'ini');
    const commands = blocks(step).filter(({ language }) => language === 'sh');
    for (const { text } of commands.slice(0, -1)) await operator.run(operator.adapted(text));
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres', replicaData]);
    const replica = await Postgres15.launch(replicaData, POSTGRES);
    stage.ending(() => replica.stop());
    await eventually(async () => {
      const shown = await operator.run(operator.adapted(commands.at(-1)?.text ?? ''));
      expect(shown).toContain('streaming');
    });
    operator.replace('@replica.example.com/', `@127.0.0.1:${replica.port}/`);
    await operator.follow(settings.map(asStep).join('\n'));
    await operator.restart();
    await expectCounting();
    await eventually(async () => {
      const { url } = operator.web;
      await customer?.service(url, 'GET', '/urls');
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(metrics).toMatch(/^waypost_report_reads_total\{store="replica"\} [1-9]/m);
    });
  });

  it('lead to PgBouncer', async () => {
    const port = String(await freePort());
    const ini = join(operator.folder, 'pgbouncer.ini');
    const pidFile = join(temporaryFolder('pgbouncer'), 'pid');
    chmodSync(join(pidFile, '..'), 0o777);
    const [configuration = ''] = blocks(section(OPERATIONS, '## PgBouncer')).map(({ text }) => text);
    operator.replace('listen_addr = *', 'unix_socket_dir =\nlisten_addr = 127.0.0.1');
    operator.replace('/var/run/postgresql/pgbouncer.pid', pidFile);
    operator.replace('/var/log/postgresql/pgbouncer.log', `${pidFile}.log`);
    operator.replace('listen_port = 6432', `listen_port = ${port}`);
    operator.replace('@pgbouncer.example.com:6432/', `@127.0.0.1:${port}/`);
    // It goes into the background before it listens.
    const listening = `until pg_isready --quiet --host 127.0.0.1 --port ${port}; do sleep 0.1; done`;
    operator.replace(/^(pgbouncer --.* )\S+$/gm, (_, start = '') => `${start}${ini}\n${listening}`);
    operator.replace('/etc/pgbouncer/pgbouncer.ini', ini);
    operator.replace('/etc/pgbouncer/userlist.txt', join(operator.folder, 'userlist.txt'));
    if (process.getuid?.() === 0) {
      operator.replace('pgbouncer --daemon', 'pgbouncer --user postgres --daemon');
    }
    writeFileSync(ini, operator.adapted(configuration));
    stage.ending(async () => process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGINT'));

    const output = await operator.follow(section(SCALING, '### PgBouncer'));
    expect(output).toContain('30s');
    expect(output).toContain('cl_waiting');
    await operator.restart();
    await expectCounting();
  });

  it('lead to a Redis Cluster, after the old Redis was counted', async () => {
    const settings = optionsOf(redisSettings(OPERATIONS, '# redis.conf of every node'));
    const ports = await Promise.all(Array.from({ length: 2 * MASTERS }, () => freePort()));
    nodes = await Promise.all(
      ports.map((bus) => RedisServer.start([...settings, '--cluster-port', String(bus)])),
    );
    for (const node of nodes) stage.ending(() => node.end());
    const address = (n: string) => `127.0.0.1:${nodes[Number(n) - 1]?.port}`;
    operator.replace(CLUSTER_ADDRESS, (_, n = '') => address(n));
    // The default port of the bus, 10,000 above the other, may be taken by a connection.
    operator.replace(/^redis-cli --cluster create .*$/gm, (line) =>
      line.replaceAll(CLUSTER_ADDRESS, (_, n: string) => `${address(n)}@${ports[Number(n) - 1]}`),
    );
    const [oldWorker] = operator.services.filter(({ role }) => role === 'worker');
    operator.replace('http://10.0.0.14:9464', oldWorker?.service.url ?? '');

    const step = section(SCALING, '### A Redis Cluster');
    const [create = '', settingsOfService = '', wait = ''] = blocks(step).map(asStep);
    await operator.follow(create);
    await operator.follow(settingsOfService);
    await operator.run('ROLE=worker npm start');
    const [oldWeb] = operator.services.filter(({ role }) => role === 'web');
    await operator.run('ROLE=web npm start');
    if (oldWeb) await operator.stop(oldWeb);
    await eventually(async () => {
      const ready = JSON.parse(await operator.follow(wait)) as {
        details: { clicks: { waiting: number } };
      };
      expect(ready.details.clicks.waiting).toBe(0);
    });
    if (oldWorker) await operator.stop(oldWorker);
    redis.signal('SIGSTOP');
    await expectCounting();
  });

  it('lead to a cluster whose masters refuse writes without a replica, and visits are counted all the same', async () => {
    const cluster = new Cluster(nodes.map(({ port }) => ({ host: '127.0.0.1', port })));
    cluster.on('error', () => undefined);
    stage.ending(async () => cluster.disconnect());
    const written = () =>
      Promise.all(
        Array.from({ length: MASTERS }, (_, shard) =>
          cluster.set(`test:{clicks:${shard}}`, '').catch(String),
        ),
      );
    await eventually(async () => expect(await written()).toEqual(['OK', 'OK', 'OK']));
    for (const replica of nodes.slice(MASTERS)) replica.signal('SIGSTOP');
    const refused = expect.stringMatching(/NOREPLICAS/) as string;
    await eventually(async () => expect(await written()).toEqual([refused, refused, refused]));
    await Promise.all(Array.from({ length: 2 * MASTERS }, expectCounting));
    for (const replica of nodes.slice(MASTERS)) replica.signal('SIGCONT');
    await eventually(async () => expect(await written()).toEqual(['OK', 'OK', 'OK']));
    await expectCounting();
  });

  it('name what is there for Docker Compose, Caddy and Kubernetes', () => {
    const web = section(SCALING, '### A web process');
    const [added] = blocks(web)
      .filter(({ language }) => language === 'yaml')
      .map(({ text }) => text.replace('services:\n', ''));
    const compose = read('docker/compose.yaml').replace(/^ {2}web-2: .*\n/m, `$&${added}`);
    const { services } = parse(compose, { merge: true }) as { services: Record<string, object> };
    expect(services['web-3']).toEqual(services['web-2']);
    expect(read('docker/Caddyfile')).toMatch(/^\treverse_proxy web-1:3000 web-2:3000 \{$/m);
    const deployments = parseAllDocuments(read('docker/kubernetes.yaml'))
      .map((document) => document.toJS() as { kind: string; metadata: { name: string } })
      .filter(({ kind }) => kind === 'Deployment');
    const scaled = [...SCALING.matchAll(/^kubectl scale deployment (\S+) --replicas \d+$/gm)];
    expect(scaled.map(([, name]) => name)).toEqual(deployments.map(({ metadata }) => metadata.name));
    const composed = [...SCALING.matchAll(/^docker compose --file (\S+) (?:up .*|exec -T) (\S+)( .*)?$/gm)];
    expect(composed.map(([, file]) => file)).toEqual(Array(3).fill('docker/compose.yaml'));
    expect(composed.map(([, , service]) => service)).toEqual(['web-3', 'caddy', 'worker']);
  });
});

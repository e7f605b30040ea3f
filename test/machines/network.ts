import { type ChildProcess, execFileSync, spawn, type SpawnOptions } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { LeftOut } from '../support/left-out';
import { signalProcess } from '../support/processes';

/** A command that must succeed. @throws with what it printed */
function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

type Signal = 'SIGKILL' | 'SIGSTOP' | 'SIGCONT';

function pidsIn(namespace: string): number[] {
  const pids = execFileSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' });
  return pids.split('\n').filter(Boolean).map(Number);
}

function signal(namespace: string, name: Signal): void {
  for (const pid of pidsIn(namespace)) signalProcess(pid, name);
}

/** Figures of the trial are for as many in all. */
const CORES = 2;

/** Keeps the test and all that it starts on the first cores that it may use. */
function limitCores(): void {
  const status = readFileSync('/proc/self/status', 'utf8');
  const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status) ?? [];
  const cores = list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
  run('taskset', '--all-tasks', '--cpu-list', '--pid', cores.slice(0, CORES).join(','), String(process.pid));
}

const NETWORKS = 200;
const ROOT = 'root, with `ip`, `nft` and `taskset` (apt-get install iproute2 nftables util-linux)';

/** Whether another test, which still runs, has the network of this number. */
function isInUse(number: number): boolean {
  try {
    const owner = Number(readFileSync(`/sys/class/net/wp${number}/ifalias`, 'utf8'));
    return owner !== process.pid && process.kill(owner, 0);
  } catch {
    return false;
  }
}

/** Hosts that share one Ethernet segment with the test, each a network namespace. Addresses are 10.<n>.0.<number>. */
export class Network {
  private readonly hosts: Host[] = [];

  private constructor(
    /** Name of the bridge and of the table of nftables, and the prefix of namespaces. */
    readonly name: string,
    private readonly subnet: string,
  ) {}

  /** @throws LeftOut without root or the programs that make networks */
  static create(): Network {
    let number = process.pid % NETWORKS;
    while (isInUse(number)) number = (number + 1) % NETWORKS;
    const network = new Network(`wp${number}`, `10.${50 + number}.0`);
    try {
      limitCores();
      network.remove();
      run('ip', 'link', 'add', network.name, 'type', 'bridge');
      run('ip', 'link', 'set', network.name, 'alias', String(process.pid));
    } catch (error) {
      throw new LeftOut(ROOT, { cause: error });
    }
    run('ip', 'address', 'add', `${network.gateway}/24`, 'dev', network.name);
    run('ip', 'link', 'set', network.name, 'up');
    run('nft', `add table bridge ${network.name}`);
    for (const hook of ['forward', 'input', 'output']) {
      run('nft', `add chain bridge ${network.name} ${hook} { type filter hook ${hook} priority 0; }`);
    }
    return network;
  }

  /** Address of the test itself. */
  get gateway(): string {
    return `${this.subnet}.1`;
  }

  host(name: string): Host {
    const number = this.hosts.length + 2;
    const host = new Host(name, `${this.subnet}.${number}`, this.name, `${this.name}v${number}`);
    this.hosts.push(host);
    return host;
  }

  /** Delivers all packets of all hosts again. */
  mend(): void {
    run('nft', `flush table bridge ${this.name}`);
  }

  /** Removes what a network of this name left behind, hosts included. */
  remove(): void {
    const left = execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' }).split('\n');
    for (const line of left) {
      const [namespace = ''] = line.split(' ');
      if (!namespace.startsWith(`${this.name}-`)) continue;
      signal(namespace, 'SIGKILL');
      run('ip', 'netns', 'delete', namespace);
    }
    const links = execFileSync('ip', ['-brief', 'link'], { encoding: 'utf8' }).split('\n');
    const cables = links
      .map((line) => line.split(/[@ ]/)[0] ?? '')
      .filter((link) => link.startsWith(`${this.name}v`));
    for (const [command, ...args] of [
      ...cables.map((cable) => ['ip', 'link', 'delete', cable]),
      ['ip', 'link', 'delete', this.name],
      ['nft', 'delete', 'table', 'bridge', this.name],
    ]) {
      try {
        run(command ?? '', ...args);
      } catch {
        // There was none.
      }
    }
  }
}

/** A host of the network. Its programs see its address and no other. */
export class Host {
  private readonly namespace: string;

  constructor(
    readonly name: string,
    readonly address: string,
    private readonly bridge: string,
    /** The bridge's end of its cable. */
    private readonly port: string,
  ) {
    const namespace = `${bridge}-${name}`;
    this.namespace = namespace;
    run('ip', 'netns', 'add', namespace);
    run('ip', 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    run('ip', 'link', 'set', port, 'master', bridge, 'up');
    run('ip', '-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    run('ip', '-n', namespace, 'link', 'set', 'eth0', 'up');
    run('ip', '-n', namespace, 'link', 'set', 'lo', 'up');
  }

  /** The command line that runs a program on this host. */
  on(command: string, args: readonly string[]): [string, string[]] {
    return ['ip', ['netns', 'exec', this.namespace, command, ...args]];
  }

  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    return spawn(...this.on(command, args), options);
  }

  /** Runs a program on this host to its end. @returns what it printed */
  run(command: string, args: readonly string[], options: { env?: NodeJS.ProcessEnv } = {}): string {
    return execFileSync(...this.on(command, args), {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options,
    });
  }

  /** Drops this share of its packets, both ways and without a notice, until the network is mended. */
  drop(percent: number): void {
    const some = percent < 100 ? ` numgen random mod 100 < ${percent}` : '';
    for (const rule of [
      `forward iifname ${this.port}`,
      `forward oifname ${this.port}`,
      `input iifname ${this.port}`,
      `output oifname ${this.port}`,
    ]) {
      run('nft', `add rule bridge ${this.bridge} ${rule}${some} drop`);
    }
  }

  /** Signals every process of the host at once. SIGKILL is a loss of power, SIGSTOP a machine that stands still. */
  signal(name: Signal): void {
    signal(this.namespace, name);
  }

  pids(): number[] {
    return pidsIn(this.namespace);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Installation } from './installation';
import type { ServiceMachine } from './processes';

/** Seconds that a fault lasts in a trial, which runs all faults; 0 in tests, which run some. */
export const LONG_SECONDS = Number(process.env.TRIAL_SECONDS ?? 0);

const BALANCER = ['proxy'] as const;
const WEBS = ['web0', 'web1'] as const;
const WORKERS = ['worker0', 'worker1'] as const;
/** Workers of Citus. */
const NODES = ['node0', 'node1'] as const;
const STORES = [
  'redis0',
  'redis1',
  'redis2',
  'redis3',
  'redis4',
  'redis5',
  'pooler',
  'replica',
  'primary',
] as const;

type MachineName = (typeof BALANCER | typeof WEBS | typeof WORKERS | typeof STORES | typeof NODES)[number];

const KINDS = [
  'killed',
  'stopped',
  'cut off',
  'losing every fifth packet',
  'with a full disk',
  'five minutes ahead',
  'five minutes late',
] as const;

export interface Fault {
  machine: MachineName;
  kind: (typeof KINDS)[number];
}

/** Machines that write nothing. */
const DISKLESS = ['proxy', 'pooler'];

/** Faults of every kind, of every machine that can have it: clocks are read by processes of the service. */
function allOf(machines: readonly MachineName[]): readonly Fault[] {
  return KINDS.flatMap((kind) =>
    machines
      .filter((machine) => {
        if (kind.startsWith('five')) return isService(machine);
        return kind !== 'with a full disk' || !DISKLESS.includes(machine);
      })
      .map((machine) => ({ machine, kind })),
  );
}

export const ALL = allOf([...BALANCER, ...WEBS, ...WORKERS, ...STORES]);
/** Faults of the machines that work otherwise on Citus, whose coordinator is the primary. */
export const ALL_ON_CITUS = allOf([...WORKERS, 'primary', ...NODES]);

export const SOME_ON_CITUS: readonly Fault[] = [
  { machine: 'node0', kind: 'killed' },
  { machine: 'primary', kind: 'killed' },
  { machine: 'node1', kind: 'cut off' },
];

/** One fault of each kind of machine and of each kind. */
export const SOME: readonly Fault[] = [
  { machine: 'web0', kind: 'killed' },
  { machine: 'redis0', kind: 'killed' },
  { machine: 'worker0', kind: 'stopped' },
  { machine: 'redis1', kind: 'stopped' },
  { machine: 'primary', kind: 'killed' },
  { machine: 'redis2', kind: 'cut off' },
  { machine: 'pooler', kind: 'killed' },
  { machine: 'primary', kind: 'cut off' },
  { machine: 'redis1', kind: 'with a full disk' },
  { machine: 'web1', kind: 'five minutes ahead' },
];

function isService(name: MachineName): boolean {
  return [...WEBS, ...WORKERS].some((service) => service === name);
}

/**
 * Failures that a fault explains: of connections that it cut, between visitor and balancer or between balancer and a web
 * process. None, if it concerns what is behind.
 */
export function explains({ machine, kind }: Fault, failure: string): boolean {
  const inFront = [...BALANCER, ...WEBS].some((name) => name === machine);
  return (
    inFront &&
    !kind.startsWith('five') &&
    /ECONNRESET|EPIPE|socket hang up|no answer|: 50[234]$/.test(failure)
  );
}

/** Lets a fault happen for half of the time, and then be over. */
export async function happen(installation: Installation, fault: Fault, seconds: number): Promise<void> {
  const machine = installation.machine(fault.machine);
  const half = () => delay((seconds * 1000) / 2);
  switch (fault.kind) {
    case 'killed':
      await machine.kill();
      await half();
      await machine.start();
      break;
    case 'stopped':
      machine.host.signal('SIGSTOP');
      await half();
      machine.host.signal('SIGCONT');
      break;
    case 'cut off':
    case 'losing every fifth packet':
      machine.host.drop(fault.kind === 'cut off' ? 100 : 20);
      await half();
      installation.network.mend();
      break;
    case 'with a full disk':
      machine.disk?.fill();
      await half();
      machine.disk?.free();
      if (machine.ended) await machine.start();
      break;
    case 'five minutes ahead':
    case 'five minutes late':
      (machine as ServiceMachine).setClock(fault.kind === 'five minutes ahead' ? 300 : -300);
      await half();
      (machine as ServiceMachine).setClock(0);
  }
  await half();
}

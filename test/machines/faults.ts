import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import type { Installation } from './installation';
import type { Machine } from './machine';

/** Seconds that a fault lasts in a trial, which runs all faults; 0 in tests, which run some. */
export const LONG_SECONDS = Number(process.env.TRIAL_SECONDS ?? 0);
/** By how much load is slowed down, so that a long fault has as many visits as one of a minute, and disks and memory last. */
export const SLOWDOWN = Math.max(1, LONG_SECONDS / 60);

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

/** Machines that write nothing, and do nothing by the time of day. */
const PLAIN = ['proxy', 'pooler'];
/** libfaketime does not work with jemalloc, which Redis allocates with. */
const REAL_CLOCK = /^redis/;
/** Tolerance for the time of a machine, which is read a moment before it is compared. */
const TOLERANCE_MS = 30_000;

/** Faults of every kind, of every machine that can have it. */
function allOf(machines: readonly MachineName[]): readonly Fault[] {
  return KINDS.flatMap((kind) =>
    machines
      .filter((machine) => {
        if (kind.startsWith('five') && REAL_CLOCK.test(machine)) return false;
        return !PLAIN.includes(machine) || !(kind === 'with a full disk' || kind.startsWith('five'));
      })
      .map((machine) => ({ machine, kind })),
  );
}

export const ALL = allOf([...BALANCER, ...WEBS, ...WORKERS, ...STORES]);
/** The coordinator of Citus is the primary, and has no replica. */
export const ALL_ON_CITUS = ALL.filter(({ machine }) => machine !== 'replica').concat(allOf(NODES));

export const SOME_ON_CITUS: readonly Fault[] = [
  { machine: 'node0', kind: 'killed' },
  { machine: 'primary', kind: 'killed' },
  { machine: 'node1', kind: 'cut off' },
  { machine: 'node0', kind: 'five minutes ahead' },
];

/** One fault of each kind of machine and of each kind. */
export const SOME: readonly Fault[] = [
  { machine: 'proxy', kind: 'killed' },
  { machine: 'web0', kind: 'killed' },
  { machine: 'redis0', kind: 'killed' },
  { machine: 'worker0', kind: 'stopped' },
  { machine: 'redis1', kind: 'stopped' },
  { machine: 'primary', kind: 'killed' },
  { machine: 'redis2', kind: 'cut off' },
  { machine: 'pooler', kind: 'killed' },
  { machine: 'primary', kind: 'cut off' },
  { machine: 'replica', kind: 'cut off' },
  { machine: 'web0', kind: 'losing every fifth packet' },
  { machine: 'redis1', kind: 'with a full disk' },
  { machine: 'web1', kind: 'five minutes ahead' },
  { machine: 'primary', kind: 'five minutes late' },
];

/**
 * Failures that a fault explains: of connections that it cut, between visitor and balancer or between balancer and a web
 * process. None, if it concerns what is behind.
 */
export function explains({ machine, kind }: Fault, failure: string): boolean {
  const inFront = [...BALANCER, ...WEBS].some((name) => name === machine);
  const cuts = kind === 'killed' || kind === 'stopped' || kind === 'cut off';
  if (!inFront || !cuts) return false;
  if (machine === 'proxy' && kind === 'killed' && failure.endsWith('ECONNREFUSED')) return true;
  return /ECONNRESET|EPIPE|socket hang up|no answer|: 50[24]$/.test(failure);
}

/** Lets a fault last for so many seconds, and then be over for a third of the time. */
export async function happen(installation: Installation, fault: Fault, seconds: number): Promise<void> {
  const machine = installation.machine(fault.machine);
  const lasting = () => delay(seconds * 1000);
  switch (fault.kind) {
    case 'killed':
      await machine.kill();
      await lasting();
      await machine.start();
      break;
    case 'stopped':
      machine.host.signal('SIGSTOP');
      await lasting();
      machine.host.signal('SIGCONT');
      break;
    case 'cut off':
    case 'losing every fifth packet':
      machine.host.drop(fault.kind === 'cut off' ? 100 : 20);
      await lasting();
      installation.network.mend();
      break;
    case 'with a full disk':
      machine.disk?.fill();
      await lasting();
      machine.disk?.free();
      if (machine.ended) await machine.start();
      break;
    case 'five minutes ahead':
    case 'five minutes late':
      await setClock(machine, fault.kind === 'five minutes ahead' ? 300 : -300);
      await lasting();
      await setClock(machine, 0);
  }
  await delay((seconds * 1000) / 3);
}

/** Puts a machine's clock off, and waits until its program goes by it. */
async function setClock(machine: Machine, seconds: number): Promise<void> {
  machine.clock?.set(seconds);
  await eventually(async () => {
    const off = (await machine.time()) - Date.now() - seconds * 1000;
    expect(Math.abs(off)).toBeLessThan(TOLERANCE_MS);
  });
}

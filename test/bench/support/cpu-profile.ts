import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is used of V8's format. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  /** Microseconds of the monotonic clock. */
  startTime: number;
  samples: number[];
  timeDeltas: number[];
}

/** Microseconds of the clock that profiles have. */
export function profileClock(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/**
 * Microseconds of CPU time between two readings of the clock, by package or module, from the profiles of all threads of
 * a process. Functions of Node and of V8 count for the code that called them.
 */
export function timeByModule(folder: string, pid: number, from: number, to: number): Map<string, number> {
  const sums = new Map<string, number>();
  for (const file of readdirSync(folder).filter((name) => name.split('.')[3] === String(pid))) {
    const { nodes, startTime, samples, timeDeltas } = JSON.parse(
      readFileSync(join(folder, file), 'utf8'),
    ) as Profile;
    const modules = modulesOf(nodes);
    let time = startTime;
    samples.forEach((id, i) => {
      const delta = timeDeltas[i + 1] ?? 0;
      time += timeDeltas[i] ?? 0;
      const module = modules.get(id) ?? '(idle)';
      if (module === '(idle)' || time < from || time > to) return;
      sums.set(module, (sums.get(module) ?? 0) + delta);
    });
  }
  return sums;
}

function modulesOf(nodes: Profile['nodes']): Map<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const modules = new Map<number, string>();
  const visit = (id: number, caller: string) => {
    const node = byId.get(id);
    if (!node) return;
    const own = moduleOf(node.callFrame);
    // Node's own module is the one that called first.
    const module = own === null || (own.startsWith('node:') && caller !== '') ? caller : own;
    modules.set(id, module || 'Node');
    for (const child of node.children ?? []) visit(child, module);
  };
  const [root] = nodes;
  if (root) visit(root.id, '');
  return modules;
}

/** Null for functions of V8. */
function moduleOf({ functionName, url }: { functionName: string; url: string }): string | null {
  if (functionName === '(root)') return null;
  if (functionName.startsWith('(')) return functionName;
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (name) return name;
  const [, path] = /\/dist\/src\/(.+)\.js$/.exec(url) ?? [];
  if (path) return path.split('/').slice(0, 3).join('/');
  return url.startsWith('node:') ? url : null;
}

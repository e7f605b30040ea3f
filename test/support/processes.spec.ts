import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { childrenOf, signalProcess } from './processes';

describe('processes', () => {
  it('without children have none, alive or ended', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const pid = child.pid ?? NaN;
    expect(childrenOf(process.pid)).toContain(pid);
    expect(childrenOf(pid)).toEqual([]);
    const ended = once(child, 'exit');
    signalProcess(pid, 'SIGKILL');
    await ended;
    expect(childrenOf(pid)).toEqual([]);
    expect(() => signalProcess(pid, 'SIGKILL')).not.toThrow();
  });

  it.each([0, -1, NaN])('are not named by %p', (pid) => {
    expect(() => signalProcess(pid, 'SIGCONT')).toThrow(RangeError);
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import { LeftOut } from '../support/left-out';
import { childrenOf } from '../support/processes';
import { freePort, temporaryFolder } from '../support/servers';

const ROOT = resolve(__dirname, '../..');
const CTRL_C = '\u0003';

/** `npm start` in a pseudo-terminal created by script(1). */
class Terminal {
  output = '';
  readonly dataDir = temporaryFolder('terminal');
  private readonly script: ChildProcess;

  constructor(port: number) {
    this.script = spawn('script', ['--quiet', '--return', '--command', 'npm start', '/dev/null'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), DATA_DIR: this.dataDir },
      stdio: ['pipe', 'pipe', 'inherit'],
      // In its own process group, so that signals reach both npm and node, as from a supervisor.
      detached: true,
    });
    this.script.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  type(keys: string): void {
    this.script.stdin?.write(keys);
  }

  /** Closes the terminal like its window: the processes in it get SIGHUP. */
  close(): void {
    this.script.kill('SIGKILL');
  }

  /** Sends a signal to every process of the terminal's foreground job. */
  signalJob(signal: NodeJS.Signals): void {
    const [job = NaN] = childrenOf(this.script.pid ?? NaN);
    process.kill(-job, signal);
  }

  postmaster(): number {
    return Number.parseInt(readFileSync(join(this.dataDir, 'postgres/postmaster.pid'), 'utf8'));
  }

  async postgresGone(pid: number): Promise<void> {
    await eventually(async () => expect(existsSync(`/proc/${pid}`)).toBe(false));
    expect(existsSync(join(this.dataDir, 'postgres/postmaster.pid'))).toBe(false);
  }
}

describe('npm start in a terminal takes its Postgres with it', () => {
  it.each<[string, (terminal: Terminal) => Promise<void> | void]>([
    ['on Ctrl-C', (terminal) => terminal.type(CTRL_C)],
    [
      'on Ctrl-C pressed twice',
      async (terminal) => {
        terminal.type(CTRL_C);
        await delay(30);
        terminal.type(CTRL_C);
      },
    ],
    ['when the terminal is closed', (terminal) => terminal.close()],
    ['on SIGTERM to its process group', (terminal) => terminal.signalJob('SIGTERM')],
  ])('%s', async (_name, end) => {
    if (process.platform !== 'linux') throw new LeftOut('Linux');
    const terminal = new Terminal(await freePort());
    await eventually(async () => expect(terminal.output).toContain('Create a short link'));
    const pid = terminal.postmaster();
    await end(terminal);
    await terminal.postgresGone(pid);
    terminal.close();
  });
});

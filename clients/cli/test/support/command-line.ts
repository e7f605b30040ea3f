import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventually } from '../../../../test/support/eventually';

export const PROGRAM = resolve(__dirname, '../../dist/waypost.js');
const TEMPORARY = resolve(__dirname, '../../../../test/.tmp');

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The program with a configuration folder of its own. */
export class CommandLine {
  readonly config = mkdtempSync(join(TEMPORARY, 'cli-'));
  private readonly started: RunningProgram[] = [];

  constructor(private readonly env: () => Record<string, string> = () => ({})) {}

  get environment(): NodeJS.ProcessEnv {
    const { PATH, HOME } = process.env;
    return { PATH, HOME, XDG_CONFIG_HOME: this.config, ...this.env() };
  }

  start(...args: string[]): RunningProgram {
    return this.spawn(process.execPath, PROGRAM, ...args);
  }

  /** Runs another program in the same environment. */
  spawn(command: string, ...args: string[]): RunningProgram {
    const child = spawn(command, args, { env: this.environment });
    const program = new RunningProgram(child);
    this.started.push(program);
    return program;
  }

  async run(args: readonly string[], stdin = ''): Promise<Run> {
    const program = this.start(...args);
    program.child.stdin?.end(stdin);
    return program.ended;
  }

  /** The standard output of a run that must succeed. */
  async output(...args: string[]): Promise<string> {
    const run = await this.run(args);
    expect(run).toMatchObject({ code: 0 });
    return run.stdout;
  }

  async json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
    return JSON.parse(await this.output(...args, '--json')) as T;
  }

  /** Ends what is still running. */
  close(): void {
    for (const { child } of this.started) child.kill('SIGKILL');
  }
}

export class RunningProgram {
  stdout = '';
  stderr = '';
  readonly ended: Promise<Run>;

  constructor(readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    // A program that ends at once does not read its input.
    child.stdin?.on('error', () => undefined);
    this.ended = new Promise((done) =>
      child.on('close', (code) => done({ code, stdout: this.stdout, stderr: this.stderr })),
    );
  }

  /** Lines of standard output, as JSON. */
  get objects(): Record<string, unknown>[] {
    return this.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  said(text: string | RegExp): Promise<void> {
    return eventually(async () => expect(await Promise.resolve(this.stderr)).toMatch(text));
  }

  interrupt(): Promise<Run> {
    this.child.kill('SIGINT');
    return this.ended;
  }
}

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(__dirname, '../..');

/** A customer's folder, with a client generated from the OpenAPI document and programs that use it. */
export class ClientFolder {
  private readonly path: string;

  constructor(document: object) {
    mkdirSync(join(ROOT, 'test/.tmp'), { recursive: true });
    this.path = mkdtempSync(join(ROOT, 'test/.tmp/client-'));
    this.write('openapi.json', JSON.stringify(document));
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text);
  }

  /** Runs a program in node_modules. */
  run(tool: string, ...options: string[]): Promise<string> {
    return this.node(join(ROOT, 'node_modules', tool), ...options);
  }

  /** @throws with the compiler's errors */
  async compile(name: string, program: string): Promise<void> {
    this.write(`${name}.ts`, program);
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--noUncheckedIndexedAccess',
      '--skipLibCheck',
    ];
    const target = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2023'];
    await this.run('@typescript/native/bin/tsc', ...options, ...target, '--types', 'node', `${name}.ts`);
  }

  /** Bundles and runs a compiled program, and parses its JSON output. */
  async start(name: string, ...parameters: string[]): Promise<unknown> {
    const bundle = ['--bundle', '--platform=node', '--log-level=error', `--outfile=${name}.cjs`];
    await promisify(execFile)(join(ROOT, 'node_modules/.bin/esbuild'), [...bundle, `${name}.ts`], {
      cwd: this.path,
    });
    return JSON.parse(await this.node(`${name}.cjs`, ...parameters));
  }

  private async node(...parameters: string[]): Promise<string> {
    try {
      return (await promisify(execFile)(process.execPath, parameters, { cwd: this.path })).stdout;
    } catch (error) {
      // The compiler prints errors on standard output.
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(stdout + stderr, { cause: error });
    }
  }
}

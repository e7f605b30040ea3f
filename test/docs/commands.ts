import { execFileSync, spawnSync } from 'node:child_process';
import { LeftOut } from '../support/left-out';

/** A block of commands, and the output shown for it. */
export interface Step {
  readonly commands: string;
  /** Empty when the document shows none. */
  readonly shown: string;
}

/** Shells that readers use. */
export const SHELLS = ['bash', 'zsh'];

/** @throws LeftOut where the shell is not installed */
export function needShell(shell: string): void {
  if (spawnSync(shell, ['-c', ':']).status !== 0) throw new LeftOut(`${shell} (apt-get install ${shell})`);
}

/** Blocks marked `sh` are commands; a `json` or `text` block directly after one is its output. */
export function steps(markdown: string): Step[] {
  const blocks = [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return blocks.flatMap(([, language, commands = ''], i) => {
    if (language !== 'sh') return [];
    const [, next, output = ''] = blocks[i + 1] ?? [];
    return [{ commands, shown: next === 'json' || next === 'text' ? output.trim() : '' }];
  });
}

/** The pattern that an output must match: `…` stands for anything, a line of its own for any number of lines. */
export function pattern(shown: string): RegExp {
  const parts = shown.split(/…\n?/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*?')}$`, 's');
}

const END = '\u001e';

/**
 * Runs the steps in one shell, which stops at the first failure.
 * @returns the output of each
 */
export function run(shell: string, all: readonly Step[], cwd: string): string[] {
  const script = all.map(({ commands }) => `${commands}\nprintf '${END}'\n`).join('');
  const output = execFileSync(shell, ['-eu', '-c', script], { cwd, encoding: 'utf8' });
  return output
    .replaceAll('\r', '')
    .split(END)
    .map((part) => part.trim());
}

/** Rewrites a document for a service on a port other than 3000. */
export function onPort(markdown: string, port: number): string {
  return markdown.replaceAll(':3000', `:${port}`);
}

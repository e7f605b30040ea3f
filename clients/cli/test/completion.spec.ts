import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { needShell } from '../../../test/docs/commands';
import { CommandLine, PROGRAM } from './support/command-line';

const cli = new CommandLine();
afterAll(() => cli.close());

const zdotdir = mkdtempSync(join(resolve(__dirname, '../../../test/.tmp'), 'cli-zsh-'));

/** What bash offers for the last word. */
async function inBash(...words: string[]): Promise<string[]> {
  const script = `
    eval "$("$0" "$1" completion bash)"
    COMP_WORDS=("\${@:2}"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _waypost
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', [
    '-c',
    script,
    process.execPath,
    PROGRAM,
    'waypost',
    ...words,
  ]);
  return stdout.split('\n').filter(Boolean);
}

/** Types into an interactive zsh, and waits for what it adds. */
async function inZsh(typed: string, expected: string): Promise<void> {
  const script = `
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell "PS1=; stty columns 200; autoload -Uz compinit; compinit -u -D; eval \\"\\$('$1' '$2' completion zsh)\\"; print rea''dy"
    zpty -r shell output '*ready*'
    zpty -w -n shell "$3"$'\\t'
    zpty -r shell output "*$4*"
    zpty -d shell`;
  await promisify(execFile)('zsh', ['-fc', script, 'zsh', process.execPath, PROGRAM, typed, expected], {
    env: { ...cli.environment, ZDOTDIR: zdotdir, TERM: 'xterm' },
    timeout: 60_000,
  });
}

describe('waypost completion', () => {
  it('completes commands, options and values in bash', async () => {
    expect(await inBash('li')).toEqual(['links']);
    expect(await inBash('links', '')).toEqual(
      expect.arrayContaining(['create', 'list', 'stats', 'export', 'import']),
    );
    expect(await inBash('links', 'import', '--d')).toEqual(['--dry-run']);
    expect(await inBash('links', 'import', '--from', 's')).toEqual(['shlink', 'shortio']);
    expect(await inBash('links', 'import', '--max-errors', '5', '--j')).toEqual(['--json']);
    expect(await inBash('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh']));
    expect(await inBash('links', 'list', '--search', 'import', '--arch')).toEqual(['--archived']);
    expect(await inBash('links', 'nothing', 'zz')).toEqual([]);
  });

  it('completes commands, options and values in zsh', async () => {
    needShell('zsh');
    await inZsh('waypost li', 'nks');
    await inZsh('waypost links im', 'port');
    await inZsh('waypost links import --dr', 'y-run');
    await inZsh('waypost links import --from shl', 'ink');
    await inZsh('waypost links import --', 'Check every row');
  });

  it('refuses other shells', async () => {
    expect(await cli.run(['completion', 'fish'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Allowed choices are bash, zsh') as string,
    });
  });
});

describe('waypost', () => {
  it('prints its version', async () => {
    expect(await cli.output('--version')).toBe('1.0.0\n');
  });

  it('has every command in its help', async () => {
    const help = await cli.output('--help');
    for (const name of ['login', 'links', 'campaigns', 'domains', 'webhooks', 'tail', 'mcp', 'completion']) {
      expect(help).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
    }
  });
});

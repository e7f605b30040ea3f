import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventually } from '../support/eventually';
import { Service, temporaryFolder } from '../faults/service';

const TUTORIAL = readFileSync(resolve(__dirname, '../../docs/tutorial.md'), 'utf8');

/** A block of commands, and what the tutorial shows as their output. */
interface Step {
  commands: string;
  shown: string;
}

/** Blocks marked `sh` are commands; the `json` or `text` block behind one is its output. */
function steps(markdown: string): Step[] {
  const blocks = [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return blocks.flatMap(([, language, commands = ''], i) => {
    if (language !== 'sh') return [];
    const [, next, output = ''] = blocks[i + 1] ?? [];
    return [{ commands, shown: next === 'json' || next === 'text' ? output.trim() : '' }];
  });
}

/** What is shown as a pattern: `…` is anything, and the service of the test has another port. */
function pattern(shown: string, port: number): RegExp {
  const text = shown.replaceAll(':3000', `:${port}`);
  const parts = text.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*?')}$`, 's');
}

/** CI has both; elsewhere, whatever shells there are. */
const SHELLS = ['bash', 'zsh'].filter(
  (shell) => process.env.CI === 'true' || spawnSync(shell, ['-c', ':']).status === 0,
);

describe.each(SHELLS)('docs/tutorial.md in %s', (shell) => {
  jest.setTimeout(120_000);
  const END = '\u001e';
  let service: Service;
  let folder: string;
  afterAll(() => service.stop());

  it('runs command by command, and shows what it says', async () => {
    folder = temporaryFolder('tutorial');
    service = await Service.launch({ DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' });
    await eventually(async () => expect(service.output).toContain('Make a short link'), 60);
    const all = steps(TUTORIAL);
    expect(all.length).toBeGreaterThan(12);
    const script = all.map(({ commands }) => `${commands}\nprintf '${END}'\n`).join('');
    const output = execFileSync(shell, ['-eu', '-c', script], { cwd: folder, encoding: 'utf8' });
    const parts = output.replaceAll('\r', '').split(END);
    all.forEach(({ shown }, i) => {
      if (shown) expect(parts[i]?.trim()).toMatch(pattern(shown, service.port));
    });
  });
});

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventually } from '../support/eventually';
import { Service, temporaryFolder } from '../faults/service';
import { onPort, pattern, run, SHELLS, steps } from './commands';

const ROOT = resolve(__dirname, '../..');

/** Documents whose commands run as they stand beside `npm start`, and how many blocks of them there are at least. */
const DOCUMENTS = [
  { file: 'README.md', least: 3 },
  { file: 'docs/tutorial.md', least: 12 },
].flatMap((document) => SHELLS.map((shell) => ({ ...document, shell })));

/** The first two commands of the README install and start, which the tests have done by now. */
const NPM = /^npm ci && npm (?:start|test)$/gm;

describe.each(DOCUMENTS)('$file in $shell', ({ file, least, shell }) => {
  jest.setTimeout(120_000);
  let service: Service;
  afterAll(() => service.stop());

  it('runs command by command, and answers what it shows', async () => {
    const folder = temporaryFolder('commands');
    service = await Service.launch({ DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' });
    await eventually(async () => expect(service.output).toContain('credentials.json'), 60);
    const text = onPort(readFileSync(join(ROOT, file), 'utf8'), service.port).replaceAll(NPM, '');
    const all = steps(text);
    expect(all.filter(({ shown }) => shown !== '').length).toBeGreaterThanOrEqual(least);
    const outputs = run(shell, all, folder);
    all.forEach(({ shown }, i) => {
      if (shown) expect(outputs[i]).toMatch(pattern(shown));
    });
  });
});

describe('The README', () => {
  const lines = readFileSync(join(ROOT, 'README.md'), 'utf8').trimEnd().split('\n');

  it('has at most 150 lines', () => {
    expect(lines.length).toBeLessThanOrEqual(150);
  });
});

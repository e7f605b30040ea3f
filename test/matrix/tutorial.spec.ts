import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventually } from '../support/eventually';
import { Service } from '../faults/service';
import { needShell, onPort, pattern, run, SHELLS, steps } from '../docs/commands';
import { temporaryFolder } from '../support/servers';

const ROOT = resolve(__dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** Documents whose commands run unmodified beside `npm start`, with the minimum number of outputs that each shows. */
const DOCUMENTS = [
  { file: 'README.md', least: 3 },
  { file: 'docs/tutorial.md', least: 12 },
];
/** The README's first two commands, which install, start and test, and so cannot run inside a test. */
const NPM = /^npm ci && npm (?:start|test)$/gm;
/** Clicks are counted later than the documents say while other tests take the processor. */
const COUNTED = `until curl -sS http://127.0.0.1:3000/health/ready | grep -q '"waiting":0'; do sleep 0.1; done`;

describe.each(SHELLS)('Commands of documents in %s', (shell) => {
  let service: Service;
  let folder: string;

  beforeAll(async () => {
    needShell(shell);
    folder = temporaryFolder('commands');
    service = await Service.launch({ DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' });
    await eventually(async () => expect(service.output).toContain('credentials.json'));
  });
  afterAll(() => service.stop());

  it.each(DOCUMENTS)('answer what $file shows, one after the other', ({ file, least }) => {
    const text = read(file)
      .replaceAll(NPM, '')
      .replaceAll(/^sleep 2$/gm, COUNTED);
    const all = steps(onPort(text, service.port));
    expect(all.filter(({ shown }) => shown !== '').length).toBeGreaterThanOrEqual(least);
    const outputs = run(shell, all, folder);
    all.forEach(({ shown }, i) => {
      if (shown) expect(outputs[i]).toMatch(pattern(shown));
    });
  });
});

describe('The README', () => {
  it('has at most 150 lines', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('starts and tests with one command each', () => {
    expect(read('README.md').match(NPM)).toEqual(['npm ci && npm start', 'npm ci && npm test']);
  });
});

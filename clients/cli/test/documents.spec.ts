import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pattern, steps } from '../../../test/docs/commands';
import { createOrganization, type TestOrganization } from '../../../test/support/factories';
import { useTestApp } from '../../../test/support/test-app';
import { CommandLine, PROGRAM } from './support/command-line';

const ROOT = resolve(__dirname, '../../..');
const INSTALL = 'npm install --global waypost\n';
/** Commands that go on until Ctrl-C. */
const GOES_ON = /^waypost (tail|webhooks listen|mcp --http)/;

describe('The commands of the documents', () => {
  const app = useTestApp({ env: { BASE_URL: 'http://127.0.0.1' } });
  let org: TestOrganization;
  const folder = mkdtempSync(join(ROOT, 'test/.tmp/cli-documents-'));
  const cli = new CommandLine(() => ({
    PATH: `${folder}:${process.env.PATH ?? ''}`,
    WAYPOST_URL: app.url,
    WAYPOST_API_KEY: org.apiKey,
  }));

  beforeAll(async () => {
    app.clock.run();
    org = await createOrganization(app);
    const script = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
    writeFileSync(join(folder, 'waypost'), script, { mode: 0o755 });
  });
  afterAll(() => cli.close());

  it.each(['clients/cli/README.md', 'docs/command-line.md', 'docs/mcp.md'])('%s work', async (file) => {
    const all = steps(readFileSync(join(ROOT, file), 'utf8'));
    expect(all).not.toEqual([]);
    for (const { commands, shown } of all) {
      if (GOES_ON.test(commands)) {
        const program = cli.start(...commands.trim().split(' ').slice(1));
        await program.said('Ctrl-C to end');
        expect(await program.interrupt()).toMatchObject({ code: 130 });
        continue;
      }
      const program = cli.spawn('bash', '--norc', '-euc', `cd '${folder}'\n${commands.replace(INSTALL, '')}`);
      const { code, stdout, stderr } = await program.ended;
      expect({ commands, code, stderr }).toEqual({ commands, code: 0, stderr: '' });
      if (shown) expect(stdout.trim()).toMatch(pattern(shown));
    }
  });
});

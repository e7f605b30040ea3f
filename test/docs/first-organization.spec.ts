import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CONSOLE_TOKEN, useTestApp } from '../support/test-app';
import { needShell, SHELLS } from './commands';
import { temporaryFolder } from '../support/servers';

const OPERATIONS = readFileSync(resolve(__dirname, '../../docs/operations.md'), 'utf8');
const SECTION = OPERATIONS.slice(OPERATIONS.indexOf('\n## Start with Docker Compose'));
const COMMANDS = /^```sh\n(source docker\/\.env\n.*?)^```$/ms.exec(SECTION)?.[1] ?? '';

describe.each(SHELLS)('the first organization of docs/operations.md in %s', (shell) => {
  const app = useTestApp({ env: { BASE_URL: 'http://127.0.0.1:3000' } });

  it('gets from a new service to a short link', async () => {
    needShell(shell);
    const folder = temporaryFolder('operations');
    mkdirSync(join(folder, 'docker/secrets'), { recursive: true });
    writeFileSync(join(folder, 'docker/.env'), 'API_HOST=unused.test\n');
    writeFileSync(join(folder, 'docker/secrets/console_token'), `${CONSOLE_TOKEN}\n`);
    expect(COMMANDS).toContain('https://$API_HOST');
    const script = COMMANDS.replace('https://$API_HOST', app.url);
    const { stdout } = await promisify(execFile)(shell, ['-eu', '-c', script], { cwd: folder });
    expect(stdout).toContain('"name":"Acme"');
    expect(stdout).toContain('"username":"kim.minji"');
    expect(stdout).toMatch(/^\S*wp_live_\w+$/m);
    expect(stdout).toContain('"originalUrl":"https://example.com/"');
  });
});

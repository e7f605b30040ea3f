import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Block, blocks, section } from '../../../test/docs/blocks';
import { createOrganization } from '../../../test/support/factories';
import { temporaryFolder } from '../../../test/support/servers';
import { useTestApp } from '../../../test/support/test-app';
import { Gateway } from './support/gateway';

const PAGE = readFileSync(resolve(__dirname, '../../../docs/api.md'), 'utf8');
const run = promisify(execFile);

describe('the first calls of docs/api.md', () => {
  const app = useTestApp();
  const shown = blocks(section(PAGE, '## First calls'));
  const codeOf = (language: string) => shown.filter((block: Block) => block.language === language);

  /** Runs a program on an organization of its own. @returns the calls that it makes, and what it prints */
  async function callsOf(language: 'js' | 'sh') {
    const { apiKey } = await createOrganization(app);
    const gateway = await Gateway.start(app);
    const folder = temporaryFolder('api-page');
    writeFileSync(join(folder, 'links.csv'), 'url,tags\nhttps://example.com/a,spring\n');
    const program = join(folder, language === 'js' ? 'main.mjs' : 'main.sh');
    writeFileSync(
      program,
      codeOf(language)
        .map(({ text }) => text)
        .join('\n'),
    );
    const [command, ...options] = language === 'js' ? [process.execPath] : ['bash', '-eu'];
    try {
      const env = { ...process.env, API: gateway.url, KEY: apiKey };
      const { stdout } = await run(command, [...options, program], { cwd: folder, env });
      const calls = gateway.calls.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
      return { printed: stdout, calls };
    } finally {
      await gateway.close();
    }
  }

  it('are the same with curl and with the client', async () => {
    const [curl, client] = [await callsOf('sh'), await callsOf('js')];
    expect(curl.calls).toHaveLength(codeOf('sh').length);
    expect(client.calls).toEqual(curl.calls);
    expect(curl.printed).toContain('"created":1,');
    expect(curl.printed).toContain('"totalElements":2,');
    expect(curl.printed).toContain('"code":"NOT_FOUND"');
    expect(client.printed.trim().split('\n')).toHaveLength(3);
  });
});

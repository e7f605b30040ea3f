import { createOrganization, type TestOrganization } from '../../../test/support/factories';
import { eventually } from '../../../test/support/eventually';
import { useTestApp } from '../../../test/support/test-app';
import { CommandLine, PROGRAM, type RunningProgram } from './support/command-line';

describe('waypost on a terminal', () => {
  const app = useTestApp({ env: { BASE_URL: 'http://127.0.0.1' } });
  let org: TestOrganization;
  const cli = new CommandLine(() => ({ TERM: 'xterm' }));

  beforeAll(async () => {
    org = await createOrganization(app);
  });
  afterAll(() => cli.close());

  const onTerminal = (command: string): RunningProgram =>
    cli.spawn(
      'script',
      '-qec',
      `stty columns 60; ${command.replace('waypost', `"${process.execPath}" "${PROGRAM}"`)}`,
      '/dev/null',
    );
  const shows = (program: RunningProgram, text: string) =>
    eventually(async () => expect(await Promise.resolve(program.stdout)).toContain(text));

  it('login asks, and does not show the key', async () => {
    const program = onTerminal('waypost login');
    await shows(program, 'URL of the service (http://localhost:3000): ');
    program.child.stdin?.write(`${app.url}\r`);
    await shows(program, 'API key: ');
    program.child.stdin?.write(`${org.apiKey}\r`);
    const { code, stdout } = await program.ended;
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Logged in to ${app.url}`) as string,
    });
    expect(stdout).not.toContain(org.apiKey);
  });

  it('login ends at Ctrl-C', async () => {
    const program = onTerminal('waypost login --url http://127.0.0.1:9');
    await shows(program, 'API key: ');
    program.child.stdin?.write('\u0003');
    expect(await program.ended).toMatchObject({ code: 130 });
  });

  it('uses its width, and colour unless NO_COLOR is set', async () => {
    await cli.output('links', 'create', `https://example.com/${'long/'.repeat(50)}`, '--alias', 'long');
    const list = await onTerminal('waypost links list').ended;
    expect(list.stdout).toContain('\u001b[1mID');
    for (const line of list.stdout.split('\r\n')) {
      expect(line.replaceAll(/\u001b\[\d+m/g, '').length).toBeLessThanOrEqual(60);
    }
    expect((await onTerminal('NO_COLOR=1 waypost links list').ended).stdout).not.toContain('\u001b');
    expect((await onTerminal('waypost links list --json').ended).stdout).toMatch(/^\[\r\n {2}\{\r\n/);
  });
});

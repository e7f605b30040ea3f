import { LiveClicks } from '../../../src/modules/click-statistics/live/live-clicks';
import { createOrganization, type TestOrganization } from '../../../test/support/factories';
import { eventually } from '../../../test/support/eventually';
import { useTestApp } from '../../../test/support/test-app';
import { GOOGLEBOT, visit } from '../../../test/support/visits';
import { CommandLine, type RunningProgram } from './support/command-line';

describe('waypost tail', () => {
  const app = useTestApp({ env: { BASE_URL: 'http://127.0.0.1' } });
  let org: TestOrganization;
  const cli = new CommandLine(() => ({ WAYPOST_URL: app.url, WAYPOST_API_KEY: org.apiKey }));
  const ids: number[] = [];

  beforeAll(async () => {
    app.clock.run();
    org = await createOrganization(app);
    for (const alias of ['one', 'two']) {
      const link = await cli.json<{ id: number }>(
        'links',
        'create',
        `https://example.com/${alias}`,
        '--alias',
        alias,
      );
      ids.push(link.id);
    }
  });
  afterAll(() => cli.close());

  const tail = async (...args: string[]): Promise<RunningProgram> => {
    const program = cli.start('tail', ...args);
    await program.said('Waiting for clicks (Ctrl-C to end)');
    return program;
  };
  const shows = (program: RunningProgram, links: readonly unknown[]) =>
    eventually(async () =>
      expect((await Promise.resolve(program.objects)).map(({ urlId }) => urlId)).toEqual(links),
    );
  /** Ends the streams as the service does every few minutes. */
  const cut = () => {
    const live = app.get(LiveClicks);
    for (const listener of live['listeners']) live.end(listener);
  };

  it('shows each click once, also over reconnections', async () => {
    const program = await tail('--json');
    await visit(app, '/one').expect(302);
    await shows(program, [ids[0]]);
    const expected = [ids[0]];
    for (let round = 0; round < 3; round++) {
      cut();
      // While nobody listens, and once somebody does again.
      await visit(app, '/two').expect(302);
      await eventually(async () => expect(await Promise.resolve(app.get(LiveClicks).count)).toBe(1));
      await visit(app, '/one').expect(302);
      expected.push(ids[1], ids[0]);
      await shows(program, expected);
    }
    expect(new Set(program.objects.map(({ id }) => id)).size).toBe(expected.length);
    expect(await program.interrupt()).toMatchObject({ code: 130 });
  });

  it('shows one link alone, in words', async () => {
    const program = await tail('--link', 'two');
    await visit(app, '/one', { headers: { Referer: 'https://news.test/' } }).expect(302);
    await visit(app, '/two', { headers: { Referer: 'https://news.test/' } }).expect(302);
    await eventually(async () =>
      expect(await Promise.resolve(program.stdout)).toMatch(
        new RegExp(`^\\S+Z {2}link ${ids[1]} {2}.*Desktop · Windows · Chrome · news\\.test\\n$`),
      ),
    );
    expect(await program.interrupt()).toMatchObject({ code: 130 });
  });

  it('shows programs where they are asked for', async () => {
    const program = await tail('--bots', 'only', '--json');
    await visit(app, '/one').expect(302);
    await visit(app, '/two', { userAgent: GOOGLEBOT }).expect(302);
    await shows(program, [ids[1]]);
    await program.interrupt();
  });

  it('says what is wrong', async () => {
    expect(await cli.run(['tail', '--link', 'three'])).toMatchObject({
      code: 1,
      stderr: 'waypost: link: there is no link three\n',
    });
    expect(await cli.run(['tail', '--link', 'one', '--campaign', 'x'])).toMatchObject({ code: 2 });
    expect(await cli.run(['tail', '--bots', 'some'])).toMatchObject({ code: 2 });
    const nowhere = new CommandLine(() => ({
      WAYPOST_URL: 'http://127.0.0.1:9',
      WAYPOST_API_KEY: org.apiKey,
    }));
    expect(await nowhere.run(['tail'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(CONNECTION_FAILED)') as string,
    });
  });
});

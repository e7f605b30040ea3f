import { createOrganization, type TestOrganization } from '../../../test/support/factories';
import { createDomain } from '../../../test/support/links';
import { eventually } from '../../../test/support/eventually';
import { useTestApp } from '../../../test/support/test-app';
import { visit } from '../../../test/support/visits';
import { CommandLine } from './support/command-line';

interface Campaign {
  id: number;
  link: string;
  name: string;
}

describe('waypost', () => {
  const app = useTestApp({ env: { BASE_URL: 'http://127.0.0.1' } });
  let org: TestOrganization;
  const cli = new CommandLine(() => ({ WAYPOST_URL: app.url, WAYPOST_API_KEY: org.apiKey }));

  beforeAll(async () => {
    app.clock.run();
    org = await createOrganization(app);
  });
  afterAll(() => cli.close());

  it('campaigns creates, lists and measures campaigns', async () => {
    const args = ['campaigns', 'create', 'https://example.com/spring', '--name', 'Spring sale'];
    const campaign = await cli.json<Campaign>(...args, '--alias', 'spring', '--tag', 'sale');
    expect(campaign).toMatchObject({ name: 'Spring sale', alias: 'spring', tags: ['sale'] });
    expect(await cli.output(...args, '--alias', 'spring-2')).toMatch(/\/c\/spring-2\n$/);

    const listed = await cli.json<Campaign[]>(
      'campaigns',
      'list',
      '--search',
      'Spring',
      '--sort',
      'createdAt,asc',
    );
    expect(listed.map(({ id }) => id)).toEqual([campaign.id, campaign.id + 1]);
    expect((await cli.output('campaigns', 'list', '-L', '1')).split('\t')).toHaveLength(6);

    await visit(app, '/c/spring/poster').expect(302);
    await eventually(async () =>
      expect(await cli.json('campaigns', 'stats', 'spring')).toMatchObject({
        totalClicks: 1,
        topTrackers: [{ name: 'poster', count: 1, percentage: 100 }],
      }),
    );
    const shown = await cli.output('campaigns', 'stats', campaign.link);
    expect(shown).toContain('1 click, 1 visitor, 0 by bots');
    expect(shown).toMatch(/^Channels\nposter {2}1 █+$/m);
    expect(await cli.json('campaigns', 'stats', String(campaign.id), '--custom-id', 'nobody')).toMatchObject({
      totalClicks: 0,
    });

    expect(await cli.run(args.slice(0, 3))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("required option '--name <name>' not specified") as string,
    });
    expect(await cli.run([...args, '--alias', 'spring'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('(ALIAS_TAKEN)') as string,
    });
    expect(await cli.run(['campaigns', 'stats', 'autumn'])).toMatchObject({
      code: 1,
      stderr: 'waypost: campaign: there is no campaign autumn\n',
    });
  });

  it('campaigns exports and imports campaigns, and filters them by tag', async () => {
    const rows = ['Summer,https://example.com/summer,summer,beach', 'Refused,example.com,,'];
    const args = ['campaigns', 'import', '-'];
    const csv = ['name,originalUrl,alias,tags', ...rows].join('\n');
    const checked = await cli.run([...args, '--dry-run'], csv);
    expect(checked).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('1 campaign would be created: 1 with the code of the file') as string,
    });
    expect(await cli.run([...args, '--json'], csv)).toMatchObject({ code: 1 });
    const [summer] = await cli.json<Campaign[]>('campaigns', 'list', '--tag', 'beach');
    expect(summer).toMatchObject({ name: 'Summer', alias: 'summer', tags: ['beach'] });
    const [header, row] = (await cli.output('campaigns', 'export', '--tag', 'beach')).split('\r\n');
    expect(header).toContain('originalUrl');
    expect(row).toContain('https://example.com/summer');
    expect(await cli.run([...args, '--from', 'dub'], csv)).toMatchObject({ code: 2 });
  });

  it('domains lists domains, and checks one', async () => {
    const id = await createDomain(app, org, 'links.shop.test', 'PENDING');
    expect(await cli.json('domains', 'list')).toMatchObject([
      { id, domainName: 'links.shop.test', status: 'PENDING' },
    ]);
    expect(await cli.output('domains', 'list', '--search', 'shop')).toContain('links.shop.test\tPENDING');
    const check = await cli.run(['domains', 'check', 'links.shop.test', '--json']);
    expect(check.code).toBe(1);
    expect(JSON.parse(check.stdout)).toMatchObject({
      id,
      status: 'PENDING',
      lastCheck: { problem: 'RESOLVERS_FAILED' },
    });
    const shown = (await cli.run(['domains', 'check', String(id)])).stdout;
    expect(shown).toContain('links.shop.test: PENDING\n');
    expect(shown).toMatch(/^CNAME\t_waypost\.links\.shop\.test\t/m);
    expect(await cli.run(['domains', 'check', 'other.test'])).toMatchObject({
      code: 1,
      stderr: 'waypost: domain: there is no custom domain other.test\n',
    });
    expect(await cli.run(['domains', 'check'])).toMatchObject({ code: 2 });
  });
});

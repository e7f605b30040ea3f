import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createOrganization, type TestOrganization } from '../../../test/support/factories';
import { createDomain } from '../../../test/support/links';
import { eventually } from '../../../test/support/eventually';
import { useTestApp } from '../../../test/support/test-app';
import { visit } from '../../../test/support/visits';
import { CommandLine, PROGRAM } from './support/command-line';

interface Link {
  id: number;
  link: string;
  originalUrl: string;
  title: string | null;
  tags: string[];
  createdAt: string;
}

const FOLDER = mkdtempSync(join(resolve(__dirname, '../../../test/.tmp'), 'cli-files-'));

/** A row in the layout of each product; all have the code that they begin with. */
const LAYOUTS: Record<string, string> = {
  yourls:
    'keyword,url,title,timestamp,ip,clicks\nyourls-1,https://example.com/y,Y,2024-01-02 03:04:05,192.0.2.1,5\n',
  dub: 'id,domain,key,url,title,tags,createdAt\nx,dub.sh,dub-1,https://example.com/d,D,"a,b",2024-01-02T03:04:05.000Z\n',
  shortio:
    'path,originalURL,title,tags,createdAt\nshortio-1,https://example.com/s,S,a,2024-01-02T03:04:05.000Z\n',
  bitly:
    'created_at,title,long_url,bitlink\n2024-01-02T03:04:05+0000,B,https://example.com/b,bit.ly/bitly-1\n',
  kutt: 'address,target,description,created_at\nkutt-1,https://example.com/k,K,2024-01-02T03:04:05.000Z\n',
  rebrandly:
    'slashtag,destination,title,createdAt\nrebrandly-1,https://example.com/r,R,2024-01-02T03:04:05.000Z\n',
  firebase: 'short_link,link,st\nhttps://example.page.link/firebase-1,https://example.com/f,F\n',
  branch: 'url,$fallback_url\nhttps://example.app.link/branch-1,https://example.com/b\n',
  shlink: JSON.stringify({
    shortUrls: { data: [{ shortCode: 'shlink-1', longUrl: 'https://example.com/h', tags: ['a', 'b'] }] },
  }),
};

describe('waypost links', () => {
  const app = useTestApp({ env: { BASE_URL: 'http://127.0.0.1' } });
  let org: TestOrganization;
  const cli = new CommandLine(() => ({ WAYPOST_URL: app.url, WAYPOST_API_KEY: org.apiKey }));

  beforeAll(async () => {
    app.clock.run();
    org = await createOrganization(app);
  });
  afterAll(() => cli.close());

  const file = (name: string, text: string) => {
    const path = join(FOLDER, name);
    writeFileSync(path, text);
    return path;
  };
  const links = () => app.sql<{ count: number }>('SELECT count(*)::int AS count FROM links');

  it('create prints the short URL, or with --json the link', async () => {
    const url = (await cli.output('links', 'create', 'https://example.com/a', '--alias', 'first')).trim();
    expect(url).toMatch(/\/first$/);
    const link = await cli.json<Link>(
      ...['links', 'create', 'https://example.com/b', '--title', 'Spring', '--tag', 'a,b', '--tag', 'c'],
      ...[
        '--utm-source',
        'newsletter',
        '--expires-at',
        '2035-01-01',
        '--max-clicks',
        '7',
        '--external-id',
        'cms-1',
      ],
    );
    expect(link).toMatchObject({
      originalUrl: 'https://example.com/b',
      title: 'Spring',
      tags: ['a', 'b', 'c'],
      utmSource: 'newsletter',
      expiresAt: '2035-01-01T23:59:59Z',
      maxClicks: 7,
      externalId: 'cms-1',
    });
    const found = await cli.json<Link>('links', 'create', 'https://example.com/c', '--find-if-exists');
    expect(await cli.json<Link>('links', 'create', 'https://example.com/c', '--find-if-exists')).toEqual(
      found,
    );
  });

  it('create puts a link on a custom domain by its name', async () => {
    await createDomain(app, org, 'links.shop.test', 'ACTIVE');
    const link = await cli.json<Link>(
      'links',
      'create',
      'https://example.com/d',
      '--domain',
      'Links.shop.test',
      '--alias',
      'own',
    );
    expect(link.link).toMatch(/links\.shop\.test\/own$/);
    expect(
      await cli.run(['links', 'create', 'https://example.com/d', '--domain', 'other.test']),
    ).toMatchObject({
      code: 1,
      stderr: 'waypost: domain: there is no custom domain other.test\n',
    });
  });

  it('create names the field that is wrong, and prints nothing else', async () => {
    expect(
      await cli.run(['links', 'create', 'https://example.com/e', '--alias', 'a b', '--json']),
    ).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^waypost: customAlias: .*\(VALIDATION_FAILED\)\n$/) as string,
    });
    expect(await cli.run(['links', 'create'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("missing required argument 'url'") as string,
    });
    expect(await cli.run(['links', 'create', 'https://example.com/e', '--max-clicks', '0'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("option '--max-clicks <number>' argument '0' is invalid") as string,
    });
    expect(await cli.run(['links', 'make'])).toMatchObject({ code: 2, stdout: '' });
    expect(await cli.run(['links', 'list', '--limit', '-1'])).toMatchObject({ code: 2 });
  });

  it('list filters, and reads as many pages as it needs', async () => {
    const rows = Array.from({ length: 120 }, (_, i) => `https://example.com/many/${i},many-${i},many`);
    await cli.run(['links', 'import', '-'], ['url,alias,tags', ...rows].join('\n'));
    const all = await cli.json<Link[]>('links', 'list', '--tag', 'many', '--limit', '200');
    expect(new Set(all.map(({ id }) => id)).size).toBe(120);
    expect(
      await cli.json<Link[]>('links', 'list', '--tag', 'many', '-L', '3', '--sort', 'alias,asc'),
    ).toHaveLength(3);
    const lines = (await cli.output('links', 'list', '--search', 'many/11')).trim().split('\n');
    expect(lines).toHaveLength(11);
    expect(lines[0]?.split('\t')).toHaveLength(6);
    expect(await cli.run(['links', 'list', '--sort', 'colour,asc'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^waypost: sort: /) as string,
    });
  });

  it('list ends quietly when its reader ends', async () => {
    const command = '"$0" "$1" links list --limit 120 | true; echo "${PIPESTATUS[0]}"';
    const bash = cli.spawn('bash', '--norc', '-c', command, process.execPath, PROGRAM);
    expect(await bash.ended).toEqual({ code: 0, stdout: '0\n', stderr: '' });
  });

  it('list prints control characters of a title as spaces', async () => {
    const title = 'before\u001b[31m\u202eafter';
    await app.sql(`UPDATE links SET title = $1 WHERE id = (SELECT min(id) FROM links)`, [title]);
    const output = await cli.output('links', 'list', '--limit', '200');
    expect(output).toContain('before [31m after');
    expect(output).not.toMatch(/[\u001b\u202e]/);
  });

  it('stats shows days, in colour only on a terminal', async () => {
    const { id, link } = await cli.json<Link>(
      'links',
      'create',
      'https://example.com/stats',
      '--alias',
      'counted',
    );
    await visit(app, '/counted').expect(302);
    await visit(app, '/counted', { ip: '203.0.113.8' }).expect(302);
    const clicks = async (...args: string[]) =>
      (await cli.json<{ chartData: number[] }>('links', 'stats', ...args)).chartData.at(-1);
    await eventually(async () => expect(await clicks(String(id))).toBe(2));
    expect(await clicks('counted')).toBe(2);
    expect(await clicks(link)).toBe(2);
    const output = await cli.output('links', 'stats', 'counted');
    expect(output).toContain('2 clicks, 2 visitors, 0 by bots');
    expect(output).toMatch(/^\d{4}-\d\d-\d\d {2}2 █+$/m);
    expect(output).not.toContain('\u001b');
    for (const line of output.split('\n').slice(2)) expect(line.length).toBeLessThanOrEqual(80);
    expect(await cli.run(['links', 'stats', 'nothing-here'])).toMatchObject({
      code: 1,
      stderr: 'waypost: link: there is no link nothing-here\n',
    });
    expect(await cli.run(['links', 'stats', 'counted', '--start-date', 'yesterday'])).toMatchObject({
      code: 2,
    });
    expect(
      await cli.run(['links', 'stats', 'counted', '--start-date', '2030-01-02', '--end-date', '2030-01-01']),
    ).toMatchObject({ code: 1, stderr: expect.stringContaining('startDate') as string });
  });

  it.each(Object.keys(LAYOUTS))('import keeps the codes of %s; a dry run changes nothing', async (name) => {
    const path = file(`${name}.csv`, LAYOUTS[name] ?? '');
    const before = await links();
    const expected = { total: 1, created: 1, failed: 0, generated: 0 };
    expect(await cli.json('links', 'import', path, '--from', name, '--dry-run')).toMatchObject({
      ...expected,
      dryRun: true,
    });
    expect(await links()).toEqual(before);
    expect(await cli.output('links', 'import', path, '--from', name)).toContain(
      '1 link created: 1 with the code of the file, 0 with a new one',
    );
    await visit(app, `/${name}-1`).expect(302);
    const again = await cli.run(['links', 'import', path, '--from', name]);
    expect(again).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^[12]\tALIAS_TAKEN\t/m) as string,
    });
  });

  it('import says how many codes it keeps that new links cannot have', async () => {
    const path = file('legacy.csv', 'keyword,url\nlegacy.1,https://example.com/l\n');
    expect(await cli.output('links', 'import', path)).toContain(
      'Codes that new ones cannot have, and which are kept: 1\n',
    );
    await visit(app, '/legacy.1').expect(302);
  });

  it('import refuses a file without the columns of its product', async () => {
    const path = file('wrong.csv', LAYOUTS.kutt ?? '');
    expect(await cli.run(['links', 'import', path, '--from', 'bitly'])).toMatchObject({
      code: 1,
      stderr:
        'waypost: from: the file has no column bitlink or custombackhalf, which exports of bitly have\n',
    });
    expect(await cli.run(['links', 'import', path, '--from', 'nobody'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'Allowed choices are bitly, branch, dub, firebase, kutt, rebrandly, shlink, shortio, yourls',
      ) as string,
    });
    expect(await cli.run(['links', 'import', join(FOLDER, 'missing.csv')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('missing.csv cannot be read') as string,
    });
  });

  it('import takes files larger than 5 MiB', async () => {
    const note = 'x'.repeat(1_000);
    const rows = Array.from({ length: 6_000 }, (_, i) => `https://example.com/large/${i},large-${i},${note}`);
    const path = file('large.csv', ['url,alias,note', ...rows].join('\n'));
    expect(await cli.json('links', 'import', path, '--dry-run')).toMatchObject({
      total: 6_000,
      created: 6_000,
      failed: 0,
    });
  });

  it('export writes what an import reads', async () => {
    const path = join(FOLDER, 'export.csv');
    await cli.output('links', 'export', '--search', 'many-1', '--output', path);
    expect(await cli.output('links', 'export', '--search', 'many-1')).toBe(readFileSync(path, 'utf8'));
    const result = await cli.run(['links', 'import', path, '--dry-run', '--json']);
    expect(JSON.parse(result.stdout)).toMatchObject({ created: 0, total: 31, failed: 31 });
    const objects = (await cli.output('links', 'export', '--search', 'many-1', '--json')).trim().split('\n');
    expect(objects.map((line) => (JSON.parse(line) as Link).tags)).toEqual(Array(31).fill(['many']));
  });
});

import { createOrganization, type TestOrganization } from '../support/factories';
import { codeOf, createDomain, createLink, SHORT_ORIGIN, VALID_LINK } from '../support/links';
import { useTestApp } from '../support/test-app';
import { LinkCache } from '../../src/modules/links/link-cache';

const URLS = '/api/v1/service/urls';

describe('codes and aliases', () => {
  const app = useTestApp();
  let org: TestOrganization;
  let other: TestOrganization;

  beforeAll(async () => {
    org = await createOrganization(app);
    other = await createOrganization(app);
  });

  const take = ({ api }: TestOrganization, customAlias: string, rest: object = {}) =>
    api.post(URLS, { ...VALID_LINK, customAlias, ...rest });
  const remove = ({ api }: TestOrganization, { id }: { id: number }) =>
    api.delete(`${URLS}/${id}`).expect(204);

  it.each(['a', '-', '_', 'Spring-Sale_2026', 'x'.repeat(50), '1234567', 'constructor', '__proto__'])(
    'accepts the alias %s',
    async (customAlias) => {
      const link = await createLink(org, { customAlias });
      expect(link.shortUrl).toBe(`${SHORT_ORIGIN}/${customAlias}`);
    },
  );

  it('is case-sensitive', async () => {
    const [lower, upper] = [
      await createLink(org, { customAlias: 'case' }),
      await createLink(org, { customAlias: 'CASE' }),
    ];
    expect(lower.id).not.toBe(upper.id);
    await take(org, 'CASE').expect(409);
  });

  it('separates domains', async () => {
    const domain = await createDomain(app, org, 'alias.example', 'ACTIVE');
    await createLink(org, { customAlias: 'both' });
    await createLink(org, { customAlias: 'both', customDomainId: domain });
    await take(org, 'both').expect(409);
    await take(org, 'both', { customDomainId: domain }).expect(409);
  });

  it('returns a deleted alias only to the organization that had it', async () => {
    const first = await createLink(org, { customAlias: 'again' });
    await take(other, 'again').expect(409);
    await remove(org, first);
    const refused = await take(other, 'again').expect(409);
    expect(refused.body.code).toBe('ALIAS_TAKEN');
    const second = await createLink(org, { customAlias: 'again' });
    expect(second.id).not.toBe(first.id);
    await take(org, 'again').expect(409);
    await remove(org, second);
    await take(other, 'again').expect(409);
    await createLink(org, { customAlias: 'again' });
  });

  it('gives a deleted alias to one of 20 parallel requests', async () => {
    await remove(org, await createLink(org, { customAlias: 'contested' }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => take(i % 2 ? other : org, 'contested')),
    );
    const made = answers.flatMap(({ status }, i) => (status === 201 ? [i % 2] : []));
    expect(made).toEqual([0]);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  it('never gives an alias to another organization during its deletion', async () => {
    for (let round = 0; round < 10; round++) {
      const link = await createLink(org, { customAlias: `race-${round}` });
      const [taken] = await Promise.all([take(other, `race-${round}`), remove(org, link)]);
      expect(taken.status).toBe(409);
    }
  });

  it('never reuses a generated code, not even for its organization', async () => {
    const link = await createLink(org);
    await remove(org, link);
    await take(org, codeOf(link)).expect(409);
    await take(other, codeOf(link)).expect(409);
  });

  it.each([
    'api',
    'API',
    'c',
    'C',
    'u',
    'sdk',
    'health',
    'metrics',
    'internal',
    'docs',
    'console',
    'Admin',
    'www',
    'static',
    'assets',
  ])('refuses the reserved word %s', async (customAlias) => {
    const { body } = await take(org, customAlias).expect(400);
    expect(body).toMatchObject({ code: 'RESERVED_ALIAS', details: [{ field: 'customAlias' }] });
  });

  it.each(['robots.txt', 'favicon.ico', '.well-known', '..', 'a b', 'a%2Fb', 'é'])(
    'refuses the invalid alias %s',
    async (customAlias) => {
      const { body } = await take(org, customAlias).expect(400);
      expect(body.code).toBe('VALIDATION_FAILED');
    },
  );

  it('generates unique codes of seven characters', async () => {
    const codes = new Set<string>();
    for (let i = 0; i < 50; i++) codes.add(codeOf(await createLink(org)));
    expect(codes.size).toBe(50);
    for (const code of codes) expect(code).toMatch(/^[0-9A-Za-z]{7}$/);
  });

  it('invalidates a cached absence and a cached link immediately', async () => {
    const directory = app.get(LinkCache);
    expect(await directory.find(0, 'remembered')).toBeNull();
    const link = await createLink(org, { customAlias: 'remembered' });
    expect(await directory.find(0, 'remembered')).toMatchObject({ id: link.id, originalUrl: VALID_LINK.url });
    await org.api.put(`${URLS}/${link.id}`, { originalUrl: 'https://new.example.com/' }).expect(200);
    expect(await directory.find(0, 'remembered')).toMatchObject({ originalUrl: 'https://new.example.com/' });
    await remove(org, link);
    expect(await directory.find(0, 'remembered')).toBeNull();
    const again = await createLink(org, { customAlias: 'remembered' });
    expect(await directory.find(0, 'remembered')).toMatchObject({ id: again.id });
  });
});

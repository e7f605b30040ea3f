import { consoleApi, createOrganization } from '../support/factories';
import { createLink, URLS, VALID_LINK } from '../support/links';
import { perTest, useTestApp } from '../support/test-app';

const OFF = { deduplication: { enabled: false, windowMinutes: null }, adPage: { enabled: false } };

const app = useTestApp();

describe('tags of short links', () => {
  const org = perTest(() => createOrganization(app));

  it('are trimmed and de-duplicated case-insensitively', async () => {
    const { tags } = await createLink(org, {
      tags: ['  Spring ', 'SPRING', 'spring', 'Straße', 'b, c', '한글'],
    });
    expect(tags).toEqual(['Spring', 'Straße', 'b, c', '한글']);
  });

  it.each(['(none)', '(OTHER)', ' (other) '])(
    'cannot be %j, which names a group of statistics',
    async (tag) => {
      const link = await createLink(org, { tags: ['a'] });
      const message = expect.stringMatching(/^item 1 must not be \(\w+\), which is reserved$/);
      const refusal = { code: 'VALIDATION_FAILED', details: [{ field: 'tags', message }] };
      const tags = ['b', tag];
      const created = await org.api.post(URLS, { ...VALID_LINK, tags }).expect(400);
      expect(created.body).toMatchObject(refusal);
      const put = await org.api.put(`${URLS}/${link.id}`, { tags }).expect(400);
      expect(put.body).toMatchObject(refusal);
      const changes = `${org.consolePath}/urls/changes`;
      const added = await consoleApi(app)
        .post(changes, { ids: [link.id], addTags: tags })
        .expect(400);
      expect(added.body.details).toEqual([{ field: 'addTags', message }]);
      expect((await org.api.get(`${URLS}/${link.id}`)).body.tags).toEqual(['a']);
    },
  );

  it('change with an update, are cleared with null or an empty list, and stay otherwise', async () => {
    const { id } = await createLink(org, { tags: ['a'] });
    const put = async (body: object) => (await org.api.put(`${URLS}/${id}`, body).expect(200)).body.tags;
    expect(await put({ title: 'x' })).toEqual(['a']);
    expect(await put({ tags: ['b', 'c'] })).toEqual(['b', 'c']);
    expect(await put({ tags: [] })).toEqual([]);
    expect(await put({ tags: ['d'] })).toEqual(['d']);
    expect(await put({ tags: null })).toEqual([]);
    const [entry] = await app.sql<{ changes: unknown }>(
      `SELECT changes FROM audit_log WHERE action = 'link.update' AND resource_id = $1 ORDER BY id DESC LIMIT 1`,
      [String(id)],
    );
    expect(entry?.changes).toEqual({ tags: { from: ['d'], to: [] } });
  });

  it('are at most 20 of at most 50 characters', async () => {
    const many = Array.from({ length: 20 }, (_, i) => `${i}`.padStart(50, 't'));
    expect((await createLink(org, { tags: many })).tags).toEqual(many);
    for (const [tags, message] of [
      [[...many, 'x'], 'must have at most 20 items'],
      [['t'.repeat(51)], 'item 0 must be at most 50 characters long'],
      [['a', ' '], 'item 1 must not be empty'],
      [['a\nb'], 'item 0 must not contain invisible or control characters'],
      [[null], 'item 0 must be a string'],
      [{ length: 1 }, 'must be an array'],
    ]) {
      const { body } = await org.api.post(URLS, { ...VALID_LINK, tags }).expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'tags', message }] });
    }
  });
});

describe('link settings of the console', () => {
  const org = perTest(() => createOrganization(app));
  const link = perTest(() => createLink(org));
  const path = () => `${org.consolePath}/links/${link.id}/settings`;

  it('changes only the supplied part', async () => {
    const on = { enabled: true, windowMinutes: 60 };
    const first = await consoleApi(app).put(path(), { deduplication: on }).expect(200);
    expect(first.body).toEqual({ ...OFF, deduplication: on });
    const second = await consoleApi(app)
      .put(path(), { adPage: { enabled: true } })
      .expect(200);
    expect(second.body).toEqual({ deduplication: on, adPage: { enabled: true } });
    expect((await org.api.get(`/api/v1/service/urls/${link.id}`)).body.showAdPage).toBe(true);
    const third = await consoleApi(app).put(path(), { deduplication: { enabled: false, windowMinutes: 5 } });
    expect(third.body).toEqual({ ...OFF, adPage: { enabled: true } });
    expect((await consoleApi(app).get(path())).body).toEqual(third.body);
  });

  it.each([
    ['FREE', 60],
    ['PRO', 1_440],
    ['ENTERPRISE', 10_080],
  ] as const)('accepts a window up to the cap of plan %s, %i minutes', async (plan, cap) => {
    await consoleApi(app).patch(org.consolePath, { plan }).expect(200);
    const put = (windowMinutes: number) =>
      consoleApi(app).put(path(), { deduplication: { enabled: true, windowMinutes } });
    await put(cap).expect(200);
    await put(1).expect(200);
    const { body } = await put(cap + 1).expect(400);
    expect(body).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'deduplication.windowMinutes' }],
    });
    expect(body.message).toContain(String(cap));
  });

  it.each([
    [{ deduplication: { enabled: true } }, 'deduplication.windowMinutes'],
    [{ deduplication: { windowMinutes: 60 } }, 'deduplication.enabled'],
    [{ deduplication: 'on' }, 'deduplication'],
    [{ adPage: [{ enabled: true }] }, 'adPage'],
  ])('refuses %j by name', async (settings, field) => {
    const { body } = await consoleApi(app).put(path(), settings).expect(400);
    expect(body.code).toBe('VALIDATION_FAILED');
    expect(body.details[0].field).toBe(field);
    expect((await consoleApi(app).get(path())).body).toEqual(OFF);
  });
});

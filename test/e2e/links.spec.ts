import { consoleApi, createOrganization } from '../support/factories';
import {
  codeOf,
  createApp,
  createDomain,
  createLink,
  SHORT_ORIGIN,
  URLS,
  VALID_LINK,
} from '../support/links';
import { perSuite, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

/** Every text field except the destination, at its limit. */
const FULL = {
  title: 't'.repeat(200),
  ogTitle: 'o'.repeat(200),
  ogDescription: 'd'.repeat(500),
  ogImageUrl: `https://img.example.com/${'i'.repeat(976)}`,
  utmSource: 's'.repeat(200),
  utmMedium: 'm'.repeat(200),
  utmTerm: 'e'.repeat(200),
  utmContent: 'c'.repeat(200),
  utmCampaign: 'n'.repeat(200),
  iosDeepLinkPath: `/${'p'.repeat(999)}`,
  androidDeepLinkPath: `/${'q'.repeat(999)}`,
  mobileTargetUrl: `https://mob.example.com/${'m'.repeat(976)}`,
  notStartedUrl: `https://soon.example.com/${'n'.repeat(975)}`,
  expiredUrl: `https://over.example.com/${'e'.repeat(975)}`,
  goalType: 'g'.repeat(50),
};

describe('short links', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00.750Z' });
  const org = perSuite(() => createOrganization(app));
  const other = perSuite(() => createOrganization(app));

  describe('POST /urls', () => {
    it('returns the link, nulls included', async () => {
      const { body } = await org.api.post(URLS, VALID_LINK).expect(201);
      expect(body).toMatchObject({
        originalUrl: VALID_LINK.url,
        title: null,
        clickCount: 0,
        createdAt: '2026-11-20T08:32:00Z',
        expiresAt: null,
        showAdPage: false,
        customDomainName: null,
        goalType: null,
      });
      expect(body.id).toEqual(expect.any(Number));
      expect(body.shortUrl).toMatch(/^http:\/\/go\.waypost\.test\/[0-9A-Za-z]{7}$/);
    });

    it('stores every optional field, each at its limit', async () => {
      const link = await createLink(org, { ...FULL, showAdPage: true });
      expect(link).toMatchObject({ ...FULL, showAdPage: true });
      const { body } = await org.api.get(`${URLS}/${link.id}`).expect(200);
      expect(body).toEqual(link);
    });

    it.each([
      ['url', ''],
      ['url', 'http://example.com'],
      ['url', 'https://exa mple.com'],
      ['goalType', 'buy\u200b'],
      ['tags', ['sa\u202ele']],
      ['customAlias', 'a/b'],
      ['ogImageUrl', 'http://img.example.com/a.png'],
    ])('refuses %s: %j by name', async (field, value) => {
      const { body } = await org.api.post(URLS, { ...VALID_LINK, [field]: value }).expect(400);
      expect(body).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', details: [{ field }] });
    });

    it('ignores unknown and read-only fields', async () => {
      const link = await createLink(org, {
        clickCount: 99,
        id: 1,
        createdAt: 'x',
        organizationId: other.organizationId,
        constructor: 'x',
      });
      expect(link).toMatchObject({ clickCount: 0, createdAt: '2026-11-20T08:32:00Z' });
      await other.api.get(`${URLS}/${link.id}`).expect(404);
    });

    it('defaults utm values to those of the destination, except undecodable ones', async () => {
      const url =
        'https://shop.example.com/?utm_source=mail%20box&utm_medium=cpc&utm_term=%00&utm_campaign=fall&utm_content=' +
        'x'.repeat(300);
      const link = await createLink(org, { url, utmMedium: 'own' });
      expect(link).toMatchObject({
        utmSource: 'mail box',
        utmMedium: 'own',
        utmTerm: null,
        utmContent: 'x'.repeat(200),
        utmCampaign: 'fall',
      });
    });
  });

  describe('expiry', () => {
    it.each([
      ['2026-11-20 08:33', '2026-11-20T08:33:00Z'],
      ['2026-11-20 08:32:01', '2026-11-20T08:32:01Z'],
      ['2026-12-31', '2026-12-31T23:59:59Z'],
      ['2026-11-20', '2026-11-20T23:59:59Z'],
      ['2026-12-31T10:00:00Z', '2026-12-31T10:00:00Z'],
      ['2026-12-31T10:00:00+09:00', '2026-12-31T01:00:00Z'],
      ['2026-12-31T10:00:00.123', '2026-12-31T10:00:00Z'],
      ['2028-02-29', '2028-02-29T23:59:59Z'],
    ])('accepts %s', async (expirationDate, expiresAt) => {
      expect(await createLink(org, { expirationDate })).toMatchObject({ expiresAt });
    });

    it.each(['2026-11-20 08:32:00', '2026-11-20 08:31', '2026-11-19', '2020-01-01T00:00:00Z'])(
      'refuses the past time %s by name',
      async (expirationDate) => {
        const link = await createLink(org);
        const body = { ...VALID_LINK, expirationDate };
        for (const call of [org.api.post(URLS), org.api.put(`${URLS}/${link.id}`)]) {
          const response = await call.send(body).expect(400);
          expect(response.body).toMatchObject({
            code: 'VALIDATION_FAILED',
            details: [{ field: 'expirationDate', message: 'must be in the future' }],
          });
        }
      },
    );

    it.each(['31.12.2026', '2026-12-31 24:61', '', '10000-01-01'])(
      'refuses %j, which is no date',
      async (expirationDate) => {
        const { body } = await org.api.post(URLS, { ...VALID_LINK, expirationDate }).expect(400);
        expect(body.details[0].field).toBe('expirationDate');
      },
    );
  });

  describe('apps and custom domains', () => {
    it('names the app’s namespace in the short URL: the iOS app’s, else the Android app’s', async () => {
      const iosAppId = await createApp(app, org, 'iOS', 'shop-ios');
      const androidAppId = await createApp(app, org, 'Android', 'shop-android');
      const both = await createLink(org, { iosAppId, androidAppId });
      expect(both.shortUrl).toBe(`${SHORT_ORIGIN}/shop-ios/${codeOf(both)}`);
      expect(both).toMatchObject({ iosAppId, androidAppId });
      const { body } = await org.api.put(`${URLS}/${both.id}`, { iosAppId: null }).expect(200);
      expect(body).toMatchObject({
        iosAppId: null,
        shortUrl: `${SHORT_ORIGIN}/shop-android/${codeOf(both)}`,
      });
    });

    it('refuses an app of another organization or platform, or a missing one, by name', async () => {
      const foreign = await createApp(app, other, 'iOS', 'foreign-ios');
      const web = await createApp(app, org, 'Web', 'shop-web');
      const gone = await createApp(app, org, 'Android', 'gone');
      await app.alter('UPDATE apps SET deleted_at = now() WHERE id = $1', [gone]);
      const link = await createLink(org);
      for (const [field, id] of [
        ['iosAppId', foreign],
        ['androidAppId', web],
        ['androidAppId', gone],
        ['iosAppId', 999_999],
        ['iosAppId', Number.MAX_SAFE_INTEGER],
      ] as const) {
        for (const call of [org.api.post(URLS), org.api.put(`${URLS}/${link.id}`)]) {
          const { body } = await call.send({ ...VALID_LINK, [field]: id }).expect(400);
          expect(body).toMatchObject({ code: 'APP_NOT_USABLE', details: [{ field }] });
        }
      }
    });

    it('returns a short URL with the code only on a custom domain, and its name', async () => {
      const customDomainId = await createDomain(app, org, 'links.brand.example', 'VERIFIED');
      const link = await createLink(org, { customDomainId, customAlias: 'sale' });
      expect(link).toMatchObject({ shortUrl: 'sale', customDomainName: 'links.brand.example' });
      const put = (body: object) => org.api.put(`${URLS}/${link.id}`, body);
      const same = { customDomainId: null, customAlias: null };
      for (const body of [same, { customDomainId, customAlias: 'sale' }, link]) {
        expect((await put(body).expect(200)).body).toEqual(link);
      }
      const elsewhere = await createDomain(app, org, 'links.other.example', 'VERIFIED');
      const { body } = await put({ customDomainId: elsewhere, title: 'lost' }).expect(400);
      expect(body.details).toEqual([{ field: 'customDomainId', message: 'cannot be changed' }]);
      expect((await org.api.get(`${URLS}/${link.id}`)).body).toEqual(link);
    });
  });

  describe('PUT /urls/{id}', () => {
    it('changes only the fields supplied', async () => {
      const link = await createLink(org, { ...FULL, expirationDate: '2027-01-01' });
      const { body } = await org.api.put(`${URLS}/${link.id}`, { showAdPage: true }).expect(200);
      expect(body).toEqual({ ...link, showAdPage: true });
      await org.api.put(`${URLS}/${link.id}`, {}).expect(200, body);
      await org.api.get(`${URLS}/${link.id}`).expect(200, body);
    });

    it('clears with null, except required fields', async () => {
      const link = await createLink(org, { ...FULL, expirationDate: '2027-01-01', showAdPage: true });
      const cleared = Object.fromEntries(Object.keys(FULL).map((field) => [field, null]));
      const { body } = await org.api
        .put(`${URLS}/${link.id}`, { ...cleared, expirationDate: null, originalUrl: null, showAdPage: null })
        .expect(200);
      expect(body).toEqual({ ...link, ...cleared, expiresAt: null });
    });

    it('changes the destination, and the utm values derived from the old one', async () => {
      const link = await createLink(org, {
        url: 'https://a.example.com/?utm_source=a&utm_medium=a',
        utmTerm: 'given',
      });
      const originalUrl = 'https://b.example.com/?utm_source=b';
      const { body } = await org.api.put(`${URLS}/${link.id}`, { originalUrl }).expect(200);
      expect(body).toMatchObject({ originalUrl, utmSource: 'b', utmMedium: null, utmTerm: 'given' });
    });

    it('accepts an object as returned, and reports fields with another name', async () => {
      const link = await createLink(org, { ...FULL, expirationDate: '2027-01-01', tags: ['a'] });
      const put = (body: object) => org.api.put(`${URLS}/${link.id}`, body);
      expect((await put(link).expect(200)).body).toEqual(link);
      expect((await put({ url: link.originalUrl }).expect(200)).body).toEqual(link);
      const both = { url: 'https://new.example.com/', originalUrl: 'https://new.example.com/' };
      expect((await put(both).expect(200)).body.originalUrl).toBe('https://new.example.com/');
      for (const [field, value, name] of [
        ['url', 'https://other.example.com/', 'originalUrl'],
        ['expiresAt', '2028-01-01', 'expirationDate'],
        ['expiresAt', null, 'expirationDate'],
      ] as const) {
        const { body } = await put({ [field]: value }).expect(400);
        expect(body.details).toEqual([{ field, message: `cannot be changed here: send ${name}` }]);
      }
    });

    it('keeps explicit utm values, and returns those in Location', async () => {
      const url = 'https://a.example.com/?utm_source=a&&x=%2B&utm_source=b#top';
      const link = await createLink(org, { url, utmSource: 'explicit', utmMedium: 'e mail' });
      const shown = async (body: object) => {
        const answer = (await org.api.put(`${URLS}/${link.id}`, body).expect(200)).body;
        const { location = '' } = (await visit(app, new URL(link.link as string).pathname).expect(302))
          .headers;
        const { searchParams } = new URL(location);
        const fields = ['utmSource', 'utmMedium', 'utmTerm', 'utmContent'] as const;
        const names = ['utm_source', 'utm_medium', 'utm_term', 'utm_content'];
        expect(fields.map((field) => answer[field])).toEqual(names.map((name) => searchParams.get(name)));
        return [location, ...fields.map((field) => answer[field])];
      };
      const same = 'https://a.example.com/?utm_source=explicit&&x=%2B&utm_medium=e%20mail#top';
      expect(await shown({})).toEqual([same, 'explicit', 'e mail', null, null]);
      const originalUrl = 'https://b.example.com/?utm_medium=cpc&utm_term=t';
      const moved = 'https://b.example.com/?utm_medium=e%20mail&utm_term=t&utm_source=explicit';
      expect(await shown({ originalUrl })).toEqual([moved, 'explicit', 'e mail', 't', null]);
      const { body } = await org.api.get(`${URLS}/${link.id}`).expect(200);
      const back = 'https://c.example.com/?utm_term=u';
      expect(await shown({ ...body, originalUrl: back })).toEqual([
        `${back}&utm_source=explicit&utm_medium=e%20mail`,
        'explicit',
        'e mail',
        'u',
        null,
      ]);
      expect(await shown({ utmSource: null, utmMedium: '', originalUrl })).toEqual([
        originalUrl,
        null,
        'cpc',
        't',
        null,
      ]);
      expect(await shown({ utmMedium: 'own' })).toEqual([
        'https://b.example.com/?utm_medium=own&utm_term=t',
        null,
        'own',
        't',
        null,
      ]);
    });

    it('overrides utm_campaign, and gives it back to the destination', async () => {
      const link = await createLink(org, { url: 'https://a.example.com/?utm_campaign=spring' });
      const put = async (body: object) =>
        (await org.api.put(`${URLS}/${link.id}`, body).expect(200)).body.utmCampaign;
      const leadsTo = async () =>
        (await visit(app, new URL(link.link as string).pathname).expect(302)).headers.location;
      expect(link.utmCampaign).toBe('spring');
      expect(await put({ utmCampaign: 'summer' })).toBe('summer');
      expect(await leadsTo()).toBe('https://a.example.com/?utm_campaign=summer');
      expect(await put({ originalUrl: 'https://b.example.com/' })).toBe('summer');
      expect(await leadsTo()).toBe('https://b.example.com/?utm_campaign=summer');
      expect(await put({ utmCampaign: null })).toBeNull();
      expect(await leadsTo()).toBe('https://b.example.com/');
    });
  });

  describe('DELETE /urls/{id}', () => {
    it('answers 204 without a body, then 404 everywhere', async () => {
      const link = await createLink(org);
      const deleted = await org.api.delete(`${URLS}/${link.id}`).expect(204);
      expect(deleted.text).toBe('');
      await org.api.delete(`${URLS}/${link.id}`).expect(404);
      await org.api.get(`${URLS}/${link.id}`).expect(404);
      await org.api.put(`${URLS}/${link.id}`, { title: 'x' }).expect(404);
      for (const part of ['stats', 'qr', 'app-install-stats']) {
        await org.api.get(`${URLS}/${link.id}/${part}`).expect(404);
      }
      const { body } = await org.api.get(URLS).expect(200);
      expect(body.content.map(({ id }: { id: number }) => id)).not.toContain(link.id);
    });
  });

  it('audits creations, changes and deletions, but no update without a change', async () => {
    const link = await createLink(org, { title: 'a' });
    await org.api.put(`${URLS}/${link.id}`, { title: 'a' }).expect(200);
    await org.api.put(`${URLS}/${link.id}`, { title: 'b' }).expect(200);
    await org.api.delete(`${URLS}/${link.id}`).expect(204);
    const { body } = await consoleApi(app).get(`${org.consolePath}/audit-log?size=100`).expect(200);
    const entries = body.content.filter(
      (entry: { resourceType: string; resourceId: string }) =>
        entry.resourceType === 'link' && entry.resourceId === String(link.id),
    );
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'link.delete',
      'link.update',
      'link.create',
    ]);
    expect(entries[1].changes).toEqual({ title: { from: 'a', to: 'b' } });
  });
});

import { CAMPAIGNS, createCampaign, VALID_CAMPAIGN } from '../support/campaigns';
import { eventually } from '../support/eventually';
import { createOrganization, type TestOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { useTestApp } from '../support/test-app';
import { CHROME, IPHONE, visit } from '../support/visits';

interface Campaign {
  id: number;
  alias: string;
  name: string;
  link: string;
}

describe('what campaigns can because links can', () => {
  const app = useTestApp();
  let org: TestOrganization;
  beforeEach(async () => {
    org = await createOrganization(app);
  });

  const locationOf = async ({ alias }: { alias: string }, userAgent: string) =>
    (await visit(app, `/c/${alias}/poster`, { userAgent }).expect(302)).headers.location;

  it('tags, by which lists and the list of tags find them', async () => {
    const spring = await createCampaign(org, { tags: ['Spring', 'sale'] });
    await createCampaign(org, { tags: ['sale'] });
    await createLink(org, { tags: ['SALE'] });
    expect(spring.tags).toEqual(['Spring', 'sale']);
    const { body } = await org.api.get(CAMPAIGNS, { tag: ['sale', 'SPRING'] }).expect(200);
    expect(body.content.map(({ id }: Campaign) => id)).toEqual([spring.id]);
    expect((await org.api.get('/api/v1/service/tags').expect(200)).body.tags).toEqual([
      { tag: 'sale', links: 1, campaigns: 2 },
      { tag: 'Spring', links: 0, campaigns: 1 },
    ]);
  });

  it('targeting and variants, with and without a tracker', async () => {
    const targeted = await createCampaign(org, {
      targeting: [{ devices: ['Mobile'], url: 'https://m.example.com/' }],
    });
    expect(await locationOf(targeted, IPHONE)).toBe('https://m.example.com/');
    expect(await locationOf(targeted, CHROME)).toBe(VALID_CAMPAIGN.originalUrl);
    const urls = ['https://a.example.com/', 'https://b.example.com/'];
    const split = await createCampaign(org, { variants: urls.map((url) => ({ url, weight: 1 })) });
    const location = await locationOf(split, CHROME);
    expect(urls).toContain(location);
    await eventually(async () => {
      const stats = await org.api.get(`${CAMPAIGNS}/${split.id}/stats`).expect(200);
      expect(stats.body.variants).toEqual(
        urls.map((url) => expect.objectContaining({ url, weight: 1, clicks: url === location ? 1 : 0 })),
      );
    });
  });

  it('a password, which is asked for and never shown', async () => {
    const campaign = await createCampaign(org, { password: 'open sesame' });
    expect(campaign).toMatchObject({ hasPassword: true });
    expect(campaign).not.toHaveProperty('password');
    const page = await visit(app, `/c/${campaign.alias}`).expect(200);
    expect(page.text).toContain('type="password"');
    await org.api.put(`${CAMPAIGNS}/${campaign.id}`, { password: null }).expect(200);
    await visit(app, `/c/${campaign.alias}`).expect(302);
  });

  it('a limit of visits, exactly, apart from a link with the same id', async () => {
    const campaign = await createCampaign(org, { maxClicks: 5 });
    await createLink(org, { maxClicks: 5 });
    const visits = await Promise.all(Array.from({ length: 20 }, () => visit(app, `/c/${campaign.alias}`)));
    expect(visits.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 302),
      ...Array.from({ length: 15 }, () => 410),
    ]);
    const { body } = await org.api.get(`${CAMPAIGNS}/${campaign.id}`).expect(200);
    expect(body).toMatchObject({ maxClicks: 5, usedClicks: 5 });
  });

  it('a QR code of their URL', async () => {
    const { id, link } = await createCampaign(org);
    const { body } = await org.api.get(`${CAMPAIGNS}/${id}/qr`, { format: 'svg' }).expect(200);
    expect(body).toMatchObject({ shortUrl: link, link });
    expect(Buffer.from(body.qrCode as string, 'base64').toString()).toContain('<svg');
  });

  it('creation and change of many at once', async () => {
    const items = [
      { ...VALID_CAMPAIGN, alias: 'bulk-a' },
      { ...VALID_CAMPAIGN, alias: 'bulk-a' },
      { ...VALID_CAMPAIGN, name: '' },
      { ...VALID_CAMPAIGN, findIfExists: true, alias: 'bulk-a' },
      null,
    ];
    const { body } = await org.api.post(`${CAMPAIGNS}/bulk`, { items }).expect(200);
    expect(body).toMatchObject({ created: 1, found: 1, failed: 3 });
    const [made, taken, unnamed, found, none] = body.results;
    expect(made).toMatchObject({ status: 'created', campaign: { alias: 'bulk-a', name: 'Spring sale' } });
    expect(taken.error).toMatchObject({ code: 'ALIAS_TAKEN', details: [{ field: 'alias' }] });
    expect(unnamed.error).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'name' }] });
    expect(found).toMatchObject({ status: 'found', campaign: { id: made.campaign.id } });
    expect(none.error.code).toBe('VALIDATION_FAILED');
    const ids = [made.campaign.id as number, 999_999_999];
    const changed = await org.api.post(`${CAMPAIGNS}/changes`, { ids, addTags: ['x'] }).expect(200);
    expect(changed.body).toMatchObject({ ok: 1, failed: 1 });
    const listed = await org.api.get(`${CAMPAIGNS}/ids`, { tag: 'x' }).expect(200);
    expect(listed.body).toEqual({ ids: [made.campaign.id], total: 1 });
    await org.api.post(`${CAMPAIGNS}/changes`, { ids, delete: true }).expect(200);
    await org.api.get(`${CAMPAIGNS}/${made.campaign.id}`).expect(404);
  });

  it('cannot exceed the limit of the plan together', async () => {
    org = await createOrganization(app, { limits: { campaigns: 3 } });
    const bulk = () => org.api.post(`${CAMPAIGNS}/bulk`, { items: [VALID_CAMPAIGN, VALID_CAMPAIGN] });
    await Promise.all([bulk(), bulk(), bulk()]);
    expect((await org.api.get(CAMPAIGNS).expect(200)).body.totalElements).toBe(3);
    const { body } = await bulk().expect(403);
    expect(body).toMatchObject({ code: 'LIMIT_REACHED' });
  });

  describe('in files', () => {
    const exported = async () =>
      (
        await org.api
          .get(`${CAMPAIGNS}/export`, { archived: 'all', sort: 'name,asc' })
          .buffer(true)
          .expect(200)
      ).text;
    const imported = (csv: string, query: Record<string, string> = {}) =>
      org.api
        .post(`${CAMPAIGNS}/import?${new URLSearchParams(query).toString()}`)
        .set('Content-Type', 'text/csv')
        .serialize((text: unknown) => text as string)
        .send(csv);

    it('are restored from their own export, generated codes included', async () => {
      await createCampaign(org, {
        name: '=1+1',
        alias: 'restored',
        tags: ['a,b'],
        maxClicks: 9,
        expiresAt: '2031-01-01T00:00:00Z',
        targeting: [{ countries: ['KR'], url: 'https://kr.example.com/' }],
      });
      await createCampaign(org, { name: 'Generated' });
      const file = await exported();
      const { body } = await org.api.get(`${CAMPAIGNS}/ids`).expect(200);
      await app.sql('DELETE FROM campaigns WHERE organization_id = $1', [org.organizationId]);
      await app.sql('DELETE FROM addresses WHERE kind = 2 AND organization_id = $1', [org.organizationId]);
      const result = await imported(file).expect(200);
      expect(result.body).toMatchObject({ total: body.total, created: 2, failed: 0, generated: 0 });
      const withoutIds = (text: string) => text.replaceAll(/^\d+/gm, '');
      expect(withoutIds(await exported())).toBe(withoutIds(file));
    });

    it('are named row by row where a row cannot be taken, before anything is written', async () => {
      const file =
        'name,url,keyword\nA,https://a.example.com,one\n,https://a.example.com,two\nB,nowhere,three\n';
      const dry = await imported(file, { dryRun: 'true' }).expect(200);
      expect(dry.body).toMatchObject({ dryRun: true, created: 1, failed: 2 });
      expect(dry.body.errors).toMatchObject([
        { line: 3, details: [{ field: 'name' }] },
        { line: 4, details: [{ field: 'originalUrl' }] },
      ]);
      expect((await org.api.get(CAMPAIGNS).expect(200)).body.totalElements).toBe(0);
      const { body } = await imported('name,keyword\nA,b\n').expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'originalUrl' }] });
    });
  });
});

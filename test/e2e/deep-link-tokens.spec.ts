import { createHash } from 'node:crypto';
import { ClickJournal } from '../../src/modules/clicks/journal/click-journal';
import { AppPageTokens } from '../../src/modules/attribution/tokens/app-page-tokens';
import { openAppPage } from '../support/app-pages';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { createApp, createLink } from '../support/links';
import { perSuite, TestApp, useTestApp } from '../support/test-app';
import { GOOGLEBOT, IPHONE, plainClick } from '../support/visits';

const DAY_MS = 86_400_000;

describe.each([
  ['with Redis', true],
  ['without Redis', false],
])('a click that opens the app page, %s', (_name, redis) => {
  const app = useTestApp({ redis });
  let appId: number;

  const organization = perSuite(() => createOrganization(app));
  beforeAll(async () => {
    appId = await createApp(app, organization, 'iOS', `shop${redis}`);
  });
  beforeEach(() => app.clock.run());

  async function linkId(): Promise<number> {
    return (await createLink(organization)).id;
  }

  async function clicksOf(trackedLinkId: number): Promise<number> {
    const rows = await app.sql<{ clicks: number }>(
      `SELECT coalesce(sum(clicks + bot_clicks), 0)::int AS clicks FROM click_totals WHERE tracked_link_id = $1`,
      [trackedLinkId],
    );
    return rows[0]?.clicks ?? 0;
  }

  const tokensOf = (trackedLinkId: number) =>
    app.sql<{ hash: Buffer; sessionId: string | null; appId: number; userAgent: string; clickId: number }>(
      `SELECT token_hash AS hash, session_id AS "sessionId", app_id AS "appId", user_agent AS "userAgent",
              click_id AS "clickId"
         FROM deep_link_tokens WHERE tracked_link_id = $1 ORDER BY issued_at`,
      [trackedLinkId],
    );
  const sessionsOf = (trackedLinkId: number) =>
    app.sql(
      `SELECT id, app_id AS "appId", kind, platform, stages FROM funnel_sessions WHERE tracked_link_id = $1`,
      [trackedLinkId],
    );

  it('creates a token and a session together with the click', async () => {
    const trackedLinkId = await linkId();
    const token = await openAppPage(app, organization, { trackedLinkId, appIds: [appId] });
    await eventually(async () => expect(await clicksOf(trackedLinkId)).toBe(1));
    const [row] = await tokensOf(trackedLinkId);
    expect(row?.hash).toEqual(createHash('sha256').update(token).digest());
    expect(row).toMatchObject({ appId, userAgent: IPHONE });
    expect(await sessionsOf(trackedLinkId)).toEqual([
      { id: row?.sessionId, appId, kind: 1, platform: 'IOS', stages: 1 },
    ]);
    const [click] = await app.sql(`SELECT id, app_id AS "appId" FROM clicks WHERE tracked_link_id = $1`, [
      trackedLinkId,
    ]);
    expect(click).toEqual({ id: row?.clickId, appId });
  });

  it('creates them once when the click is repeated', async () => {
    const trackedLinkId = await linkId();
    const { key } = app.get(AppPageTokens).issue(organization.organizationId);
    const click = plainClick({
      id: redis ? 11 : 12,
      at: app.clock.now(),
      trackedLinkId,
      organizationId: organization.organizationId,
      appIds: [appId],
      userAgent: IPHONE,
      appPage: { tokenKey: key, counted: true },
    });
    const journal = app.get(ClickJournal);
    await Promise.all([journal.append(click), journal.append(click)]);
    await journal.append(click);
    await eventually(async () => expect(await clicksOf(trackedLinkId)).toBe(1));
    // Another click after it, so that the earlier ones have been processed.
    await openAppPage(app, organization, { trackedLinkId, appIds: [appId] });
    await eventually(async () => expect(await clicksOf(trackedLinkId)).toBe(2));
    expect(await tokensOf(trackedLinkId)).toHaveLength(2);
    expect(await sessionsOf(trackedLinkId)).toHaveLength(2);
    const [sums] = await app.sql(
      `SELECT sum(count)::int AS sessions FROM funnel_rollups, unnest(terms, counts) AS t (term, count)
        WHERE subject_kind = 1 AND subject_id = $1 AND term = 10`,
      [trackedLinkId],
    );
    expect(sums).toEqual({ sessions: 2 });
  });

  it('creates a token but no session when de-duplication filters it', async () => {
    const trackedLinkId = await linkId();
    const visit = { trackedLinkId, appIds: [appId], deduplicationWindowMinutes: 5 };
    await openAppPage(app, organization, visit);
    await openAppPage(app, organization, visit);
    await eventually(async () => expect(await tokensOf(trackedLinkId)).toHaveLength(2));
    expect(await clicksOf(trackedLinkId)).toBe(1);
    expect(await sessionsOf(trackedLinkId)).toHaveLength(1);
    expect((await tokensOf(trackedLinkId)).filter(({ sessionId }) => sessionId === null)).toHaveLength(1);
  });

  it('creates no session for a bot', async () => {
    const trackedLinkId = await linkId();
    await openAppPage(app, organization, { trackedLinkId, appIds: [appId], userAgent: GOOGLEBOT });
    await eventually(async () => expect(await clicksOf(trackedLinkId)).toBe(1));
    expect(await sessionsOf(trackedLinkId)).toEqual([]);
  });

  it('counts for each of the target’s apps, and for the token’s app alone as a session', async () => {
    const trackedLinkId = await linkId();
    const otherApp = await createApp(app, organization, 'Android', `droid${redis}`);
    await openAppPage(app, organization, { trackedLinkId, appIds: [otherApp, appId] });
    await eventually(async () => expect(await clicksOf(trackedLinkId)).toBe(1));
    const sums = await app.sql(
      `SELECT sum(clicks)::int AS clicks, 10 = ANY(array_agg(term)) AS session
         FROM funnel_rollups LEFT JOIN LATERAL unnest(terms) AS term ON true
        WHERE subject_kind = 3 AND subject_id = $1`,
      [otherApp],
    );
    expect(sums).toEqual([expect.objectContaining({ session: true })]);
    expect(await tokensOf(trackedLinkId)).toEqual([expect.objectContaining({ appId: otherApp })]);
    const [first] = await app.sql<{ clicks: number }>(
      `SELECT sum(clicks)::int AS clicks FROM funnel_rollups WHERE subject_kind = 3 AND subject_id = $1`,
      [appId],
    );
    expect(first?.clicks).toBeGreaterThan(1);
  });
});

describe('tokens', () => {
  const app = useTestApp({ redis: false });
  let tokens: AppPageTokens;

  beforeAll(() => {
    tokens = app.get(AppPageTokens);
  });
  beforeEach(() => app.clock.run());

  it('are unique', () => {
    const issued = new Set(Array.from({ length: 1_000 }, () => tokens.issue(7).token));
    expect(issued.size).toBe(1_000);
    for (const token of issued) expect(token).toMatch(/^[A-Za-z0-9_-]{51}$/);
  });

  it('are valid for seven days', () => {
    app.clock.set('2030-03-01T00:00:00Z');
    const { token, key } = tokens.issue(7);
    const issuedAt = Date.parse('2030-03-01T00:00:00Z');
    expect(tokens.read(token)).toEqual({ issuedAt, hash: key.split('.')[1], organizationId: 7 });
    app.clock.set(new Date(issuedAt + 7 * DAY_MS - 1).toISOString());
    expect(tokens.read(token)).not.toBeNull();
    app.clock.set(new Date(issuedAt + 7 * DAY_MS).toISOString());
    expect(tokens.read(token)).toBeNull();
  });

  it('are invalid when forged, whichever character is changed', () => {
    const { token } = tokens.issue(7);
    for (let i = 0; i < token.length; i++) {
      for (const letter of ['A', 'B', '_']) {
        const changed = token.slice(0, i) + letter + token.slice(i + 1);
        expect(tokens.read(changed)).toEqual(changed === token ? tokens.read(token) : null);
      }
    }
    for (const text of ['', 'x', `${token}A`, token.slice(1), '\u0000', `${token}\n`, 'é'.repeat(51)]) {
      expect(tokens.read(text)).toBeNull();
    }
  });

  it('are valid in every process of a database', async () => {
    const beside = await TestApp.start({ database: app.database });
    const { token } = tokens.issue(7);
    expect(beside.get(AppPageTokens).read(token)).toEqual(tokens.read(token));
    await beside.close();
  });

  it('send beacons to the page’s own host, or to the API’s if that serves only links', () => {
    expect(tokens.webSdkUrl(false)).toBe('/api/v1/sdk/web');
    expect(tokens.webSdkUrl(true)).toBe('http://api.waypost.test/api/v1/sdk/web');
  });
});

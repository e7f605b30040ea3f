import {
  INSTALL_PLATFORMS,
  type InstallPlatform,
  type Stage,
  STAGES,
  type SubjectKind,
} from '../../src/modules/sessions/funnel';
import { resolveDayRange } from '../../src/common/date-range';
import type { Click } from '../../src/modules/clicks/click';
import { ClickJournal } from '../../src/modules/clicks/journal/click-journal';
import { InstallStatisticsQuery } from '../../src/modules/sessions/installs/install-statistics.query';
import { eventually } from '../support/eventually';
import { createOrganization, type TestOrganization } from '../support/factories';
import { Funnel } from '../support/funnel';
import { codeOf, createApp, createLink } from '../support/links';
import { perSuite, useTestApp } from '../support/test-app';
import { CHROME, GALAXY, GOOGLEBOT, IPHONE, plainClick } from '../support/visits';
import { type AppClick, installOracle } from '../support/install-oracle';

const STAGE_CODES = STAGES.map(([code]) => code);
const MINUTE_MS = 60_000;
/** References to a campaign and a link, which need not exist for these statistics. */
const CAMPAIGN = { kind: 'campaign', id: 9_001 } as const;

/** Deterministic pseudo-random integers below `n`. */
function numbers(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * n);
  };
}

describe('install statistics', () => {
  const app = useTestApp();
  let funnel: Funnel;
  let iosApp: number;
  let androidApp: number;
  let nextClick = 5_000;

  const organization = perSuite(() => createOrganization(app));
  const other = perSuite(() => createOrganization(app));
  beforeAll(async () => {
    funnel = new Funnel(app);
    iosApp = await createApp(app, organization, 'iOS', 'shop');
    androidApp = await createApp(app, organization, 'Android', 'droid');
  });

  const idOf = (of: TestOrganization) => of.organizationId;

  function click(
    at: number,
    trackedLink: { kind: 'link' | 'campaign'; id: number },
    more: Partial<Click> = {},
  ) {
    const { kind, id: trackedLinkId } = trackedLink;
    const made = {
      id: nextClick++,
      at,
      kind,
      trackedLinkId,
      organizationId: idOf(organization),
      appIds: [iosApp],
    };
    return app.get(ClickJournal).append(plainClick({ ...made, ...more }));
  }

  async function clicksCounted(clicks: number): Promise<void> {
    await eventually(async () => {
      const [row] = await app.sql<{ clicks: number }>(`SELECT count(*)::int AS clicks FROM clicks`);
      expect(row?.clicks).toBe(clicks);
    });
  }

  function statistics(
    subject: { kind: SubjectKind; id: number; isWebApp?: boolean; platform?: InstallPlatform | null },
    [startDate, endDate]: readonly [string, string],
    timeZone?: string,
  ) {
    const now = new Date('2030-12-31T12:00:00Z');
    const range = resolveDayRange({ startDate, endDate }, { now, retentionDays: 1_100, timeZone });
    const runsOn = ({ [iosApp]: 'iOS', [androidApp]: 'Android' } as const)[subject.id] ?? null;
    const named = { ...subject, runsOn, organizationId: idOf(organization), name: 'x' };
    return app.get(InstallStatisticsQuery).run(named, range, timeZone);
  }

  describe('over the API', () => {
    const get = (of: TestOrganization, id: number, query = '') =>
      of.api.get(`/api/v1/service/urls/${id}/app-install-stats${query}`);

    it('are complete, and zero, for a link without clicks', async () => {
      const link = await createLink(organization);
      const { body } = await get(organization, link.id, '?startDate=2030-03-01&endDate=2030-03-02').expect(
        200,
      );
      const nothing = { installs: 0, iosInstalls: 0, androidInstalls: 0, clicks: 0 };
      expect(body).toEqual({
        period: '2030-03-01/2030-03-02',
        appName: codeOf(link),
        platform: 'All',
        totalInstalls: 0,
        iosInstalls: 0,
        androidInstalls: 0,
        totalClicks: 0,
        conversionRate: 0,
        dailyInstalls: [
          { date: '2030-03-01', ...nothing },
          { date: '2030-03-02', ...nothing },
        ],
        platformStats: [
          { platform: 'iOS', installs: 0, percentage: 0 },
          { platform: 'Android', installs: 0, percentage: 0 },
        ],
        countryStats: [],
        recentInstalls: [],
        reengagementStats: {
          totalReengagements: 0,
          successfulReengagements: 0,
          successRate: 0,
          uniqueReengagedUsers: 0,
          platformDistribution: { ios: 0, android: 0, other: 0 },
        },
        funnelStats: {
          totalSessions: 0,
          completedSessions: 0,
          overallConversionRate: 0,
          stages: STAGES.map(([stageCode, stageName], i) => ({
            stageCode,
            stageName,
            stageOrder: i + 1,
            sessionsReached: 0,
            conversionRate: 0,
            percentOfTotal: 0,
          })),
        },
        qualityStats: {
          totalAttempts: 0,
          successfulResolutions: 0,
          successRate: 0,
          fingerprintMatchRate: 0,
          failureReasons: [],
        },
      });
    });

    it('contain the ten countries with the most installs, and the ten newest installs', async () => {
      const { id } = await createLink(organization);
      const at = Date.parse('2030-04-01T00:00:00Z');
      const countries = ['AT', 'BE', 'CH', 'DE', 'ES', 'FR', 'GB', 'IT', 'JP', 'KR', 'US'];
      for (const [i, country] of [...countries, 'US'].entries()) {
        await funnel.install({
          organizationId: idOf(organization),
          appId: iosApp,
          trackedLink: { kind: 'link', id },
          platform: 'iOS',
          country,
          osVersion: null,
          deviceModel: `number ${i}`,
          at: at + i * MINUTE_MS,
        });
      }
      const { body } = await get(organization, id, '?startDate=2030-04-01&endDate=2030-04-01').expect(200);
      expect(body.countryStats).toHaveLength(10);
      expect(body.countryStats[0]).toEqual({
        code: 'US',
        name: 'United States',
        installs: 2,
        percentage: 16.7,
      });
      const models = (body.recentInstalls as { deviceModel: string }[]).map((row) => row.deviceModel);
      expect(models).toEqual(Array.from({ length: 10 }, (_, i) => `number ${11 - i}`));
    });
  });

  it('of a web app have five stages', async () => {
    const webApp = await createApp(app, organization, 'Web', 'site');
    const session = {
      organizationId: idOf(organization),
      appId: webApp,
      trackedLink: null,
      platform: 'WEB',
      startedAt: Date.parse('2030-03-01T10:00:00Z'),
    } as const;
    await funnel.session(session, ['CLICKED', 'DEEP_LINK_RESOLVED']);
    await funnel.session(session, ['CLICKED', 'CONTENT_VIEWED', 'ACTION_TAKEN', 'GOAL_COMPLETED']);
    const subject = { kind: 'app', id: webApp, isWebApp: true } as const;
    const { funnelStats } = await statistics(subject, ['2030-03-01', '2030-03-01']);
    expect(funnelStats.completedSessions).toBe(1);
    expect(
      funnelStats.stages.map((stage) => [stage.stageCode, stage.stageOrder, stage.sessionsReached]),
    ).toEqual([
      ['CLICKED', 1, 2],
      ['DEEP_LINK_RESOLVED', 2, 1],
      ['CONTENT_VIEWED', 3, 1],
      ['ACTION_TAKEN', 4, 1],
      ['GOAL_COMPLETED', 5, 1],
    ]);
  });

  it('of an app cover all its links and campaigns, with the clicks of its own platform', async () => {
    const create = async (platform: string) => {
      const body = { platform, appName: `Shop ${platform}`, bundleId: 'com.example.tied' };
      return (await organization.api.post('/api/v1/service/mobile-apps', body).expect(201)).body.id as number;
    };
    const ios = await create('iOS');
    const android = await create('Android');
    const web = await create('Web');
    const at = Date.parse('2030-03-08T10:00:00Z');
    const before = Number((await app.sql<{ n: number }>(`SELECT count(*)::int AS n FROM clicks`))[0]?.n);
    await click(at, { kind: 'link', id: 9_100 }, { appIds: [ios, android], userAgent: IPHONE });
    await click(at, { kind: 'link', id: 9_100 }, { appIds: [android, ios], userAgent: GALAXY });
    await click(at, { kind: 'link', id: 9_100 }, { appIds: [ios, android], userAgent: CHROME });
    await click(at, { kind: 'campaign', id: 9_101 }, { appIds: [ios], userAgent: IPHONE });
    await click(
      at,
      { kind: 'campaign', id: 9_101 },
      { appIds: [ios], reportedAgent: ['App', 'iOS', 'Mobile'] },
    );
    await click(at, { kind: 'link', id: 9_102 }, { appIds: [ios], userAgent: GOOGLEBOT });
    await clicksCounted(before + 6);
    const get = async (of: TestOrganization, id: number) =>
      of.api.get(`/api/v1/service/mobile-apps/${id}/install-stats?startDate=2030-03-08&endDate=2030-03-08`);
    expect((await get(organization, ios)).body).toMatchObject({ appName: 'Shop iOS', totalClicks: 3 });
    expect((await get(organization, android)).body).toMatchObject({
      appName: 'Shop Android',
      totalClicks: 1,
    });
    const narrowed = async (id: number, platform: string) =>
      (
        await organization.api
          .get(`/api/v1/service/mobile-apps/${id}/install-stats`, {
            startDate: '2030-03-08',
            endDate: '2030-03-08',
            platform,
          })
          .expect(200)
      ).body;
    expect(await narrowed(ios, 'all')).toMatchObject({ platform: 'All', totalClicks: 3 });
    expect(await narrowed(ios, 'IOS')).toMatchObject({ platform: 'iOS', totalClicks: 3 });
    expect(await narrowed(ios, 'android')).toMatchObject({ platform: 'Android', totalClicks: 0 });
    const { body } = await get(organization, web);
    expect(body.totalClicks).toBe(0);
    expect(body.funnelStats.stages).toHaveLength(5);
    expect((await get(other, ios)).status).toBe(404);
  });

  it('lose nothing under concurrency', async () => {
    const { id } = await createLink(organization);
    const organizationId = idOf(organization);
    const trackedLink = { kind: 'link', id } as const;
    const at = Date.parse('2030-03-05T10:00:00Z');
    const users = Array.from({ length: 20 }, (_, i) => `${i % 3}`);
    await Promise.all(
      users.map((user) =>
        funnel.reengage({
          organizationId,
          appId: iosApp,
          trackedLink,
          user,
          platform: 'iOS',
          successful: true,
          at,
        }),
      ),
    );
    const { reengagementStats } = await statistics(trackedLink, ['2030-03-05', '2030-03-05']);
    expect(reengagementStats).toMatchObject({ totalReengagements: 20, uniqueReengagedUsers: 3 });
  });

  describe('compared with the raw rows', () => {
    /** Includes clock changes in several time zones, such as Berlin's and Chatham's. */
    const FROM = Date.parse('2030-03-25T00:00:00Z');
    const DAYS = 14;
    const clicksOfApps: AppClick[] = [];
    let linkId: number;

    beforeAll(async () => {
      linkId = (await createLink(organization)).id;
      const random = numbers(7);
      const organizationId = idOf(organization);
      const targets = [{ kind: 'link', id: linkId }, CAMPAIGN, null] as const;
      const FROM_AGENT: Record<string, Pick<AppClick, 'ofApp' | 'platform'>> = {
        [IPHONE]: { ofApp: iosApp, platform: 'iOS' },
        [GALAXY]: { ofApp: androidApp, platform: 'Android' },
      };
      const before = Number((await app.sql<{ n: number }>(`SELECT count(*)::int AS n FROM clicks`))[0]?.n);
      let clicks = 0;
      // In chronological order, because people return.
      for (let i = 0; i < 400; i++) {
        const at = FROM + Math.floor(((i + random(100) / 100) / 400) * DAYS * 86_400_000);
        const trackedLink = targets[random(3)] ?? null;
        const appId = random(3) === 0 ? androidApp : iosApp;
        const fact = { organizationId, trackedLink, appId, at };
        switch (random(5)) {
          case 0: {
            if (!trackedLink) break;
            clicks++;
            const appIds = [[], [iosApp], [iosApp, androidApp]][random(3)] ?? [];
            const userAgent = [GOOGLEBOT, CHROME, IPHONE, GALAXY][random(4)] ?? CHROME;
            if (userAgent !== GOOGLEBOT)
              clicksOfApps.push({
                at,
                appIds,
                ...(FROM_AGENT[userAgent] ?? { ofApp: null, platform: null }),
              });
            await click(at, trackedLink, { appIds, userAgent });
            break;
          }
          case 1: {
            const platform = appId === iosApp ? 'IOS' : 'ANDROID';
            const session = await funnel.session(
              { ...fact, startedAt: at, platform },
              random(5) > 0 ? ['CLICKED'] : [],
            );
            for (let n = random(4); n > 0; n--) {
              await funnel.reach(organizationId, session, STAGE_CODES[random(8)] as Stage);
            }
            break;
          }
          case 2:
            await funnel.install({
              ...fact,
              platform: appId === iosApp ? 'iOS' : 'Android',
              country: ['KR', 'US', 'DE', null][random(4)] ?? null,
              osVersion: null,
              deviceModel: `${i}`,
            });
            break;
          case 3: {
            const failure = ([null, null, 'EXPIRED', 'AMBIGUOUS'] as const)[random(4)] ?? null;
            const platform = appId === iosApp ? 'iOS' : 'Android';
            await funnel.resolve({ ...fact, platform, byFingerprint: random(2) === 0, failure });
            break;
          }
          default: {
            const platform = (['iOS', 'Android', 'Other'] as const)[random(3)] ?? 'Other';
            const user = `user ${random(5)} on ${platform}`;
            await funnel.reengage({ ...fact, user, platform, successful: random(2) === 0 });
          }
        }
      }
      await clicksCounted(before + clicks);
    });

    const RANGES = [
      ['2030-03-25', '2030-04-07'],
      ['2030-03-28', '2030-04-02'],
      ['2030-03-31', '2030-03-31'],
      ['2030-03-10', '2030-06-01'],
    ] as const;

    it.each(RANGES)('%s to %s, UTC: link, campaign and apps', async (...range) => {
      const subjects = [
        { kind: 'link', id: linkId },
        CAMPAIGN,
        { kind: 'app', id: iosApp },
        { kind: 'app', id: androidApp },
      ] as const;
      for (const subject of subjects) {
        for (const platform of INSTALL_PLATFORMS) {
          const narrowed = await statistics({ ...subject, platform }, range);
          const expected = await installOracle(app, subject, narrowed, 'UTC', clicksOfApps, platform);
          expect(narrowed.platform).toBe(platform);
          expect(narrowed).toEqual(expected);
        }
        const found = await statistics(subject, range);
        expect(found).toEqual(await installOracle(app, subject, found, 'UTC', clicksOfApps));
        expect(found.recentInstalls).toHaveLength(Math.min(10, found.totalInstalls));
        const long = range[0] !== range[1];
        if (long) expect([found.totalClicks > 0, found.totalInstalls > 0]).toEqual([true, true]);
      }
    });

    it.each(['Europe/Berlin', 'Africa/Cairo', 'Asia/Kathmandu', 'Pacific/Chatham', 'Pacific/Pago_Pago'])(
      'days of %s, for a campaign',
      async (timeZone) => {
        for (const range of RANGES) {
          for (const platform of INSTALL_PLATFORMS) {
            const narrowed = await statistics({ ...CAMPAIGN, platform }, range, timeZone);
            const expected = await installOracle(app, CAMPAIGN, narrowed, timeZone, [], platform);
            expect(narrowed.platform).toBe(platform);
            expect(narrowed).toEqual(expected);
          }
          const found = await statistics(CAMPAIGN, range, timeZone);
          expect(found).toEqual(await installOracle(app, CAMPAIGN, found, timeZone));
        }
      },
    );
  });
});

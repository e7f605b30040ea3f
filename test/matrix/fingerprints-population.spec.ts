import { AppPageTokens } from '../../src/modules/attribution/tokens/app-page-tokens';
import { DeepLinkTokensService } from '../../src/modules/attribution/tokens/deep-link-tokens.service';
import { FingerprintsService } from '../../src/modules/sdk-mobile/fingerprints/fingerprints.service';
import { openAppPage } from '../support/app-pages';
import { registerApp } from '../support/apps';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { figuresOf, inWords, makePopulation, matchInMemory, type Person } from '../support/population';
import { useTestApp } from '../support/test-app';

const START = Date.parse('2030-03-01T00:00:00Z');
const HOUR_MS = 3_600_000;

function print(what: string): void {
  process.stdout.write(`${what}\n`);
}

describe('matching in the service', () => {
  const app = useTestApp();

  it('equals the simulation for each of 1,000 visitors, and takes each click once', async () => {
    const organization = await createOrganization(app);
    const { organizationId } = organization;
    const ios = await registerApp(organization);
    const android = await registerApp(organization, { platform: 'Android', storeUrl: null });
    const trackedLinkId = (await createLink(organization, { iosAppId: ios.id, androidAppId: android.id })).id;
    const population = { visitors: 1_000, addresses: 200, startsAt: START };
    const people = makePopulation({ seed: 5, ...population });
    // Hour by hour: first the clicks, then the starts, sequentially at each address.
    const hourOf = (at: number) => Math.floor((at - START) / HOUR_MS);
    const clicks = people.flatMap((person) => person.clicks.map((click) => ({ ...click, person })));
    const starts = people.flatMap((person) => (person.start ? [{ person, start: person.start }] : []));
    starts.sort((a, b) => a.start.at - b.start.at);
    starts.forEach(({ start }, i) => (start.at = START + (hourOf(start.at) + 1) * HOUR_MS + i));

    const whose = new Map<string, Person>();
    const open = async ({ at, ip, person }: (typeof clicks)[number]) => {
      app.clock.set(new Date(at));
      const { page, browserId } = person;
      const appIds = person.phone.os === 'iOS' ? [ios.id, android.id] : [android.id, ios.id];
      const visit = { trackedLinkId, appIds, ip, userAgent: page.userAgent };
      const token = await openAppPage(app, organization, visit);
      whose.set(app.get(AppPageTokens).read(token)?.hash ?? '', person);
      await app.get(DeepLinkTokensService).updateFingerprint(token, { ...page, browserId });
    };
    const counted = async () => {
      const [row] = await app.sql<{ clicks: number }>(
        'SELECT count(DISTINCT click_id)::int AS clicks FROM deep_link_tokens',
      );
      return row?.clicks;
    };
    const sessionOf = new Map<Person, string | null>();
    const start = async (person: Person, ipAddress: string) => {
      const { platform, ...device } = person.app;
      const appId = platform === 'iOS' ? ios.id : android.id;
      const caller = { organizationId, appId, key: 'secret' as const, ip: ipAddress };
      const { sessionId } = await app.get(FingerprintsService).resolve(caller, { ...device, ipAddress });
      sessionOf.set(person, sessionId);
    };
    const hours = [
      ...clicks.map(({ at }) => hourOf(at)),
      ...starts.map(({ start: { at } }) => hourOf(at) - 1),
    ];
    for (const hour of [...new Set(hours)].sort((a, b) => a - b)) {
      await Promise.all(clicks.filter(({ at }) => hourOf(at) === hour).map(open));
      const soFar = clicks.filter(({ at }) => hourOf(at) <= hour).length;
      await eventually(async () => expect(await counted()).toBe(soFar));
      app.clock.set(new Date(START + (hour + 1) * HOUR_MS));
      const comers = starts.filter(({ start: { at } }) => hourOf(at) - 1 === hour);
      const come = async (ip: string) => {
        for (const each of comers) if (each.start.ip === ip) await start(each.person, ip);
      };
      await Promise.all([...new Set(comers.map((each) => each.start.ip))].map(come));
    }

    const rows = await app.sql<{ session: string; hash: Buffer }>(
      'SELECT session_id AS session, token_hash AS hash FROM deep_link_tokens',
    );
    const clickedIn = new Map<string | null, Person>();
    for (const { session, hash } of rows) {
      const person = whose.get(hash.toString('base64url'));
      if (person) clickedIn.set(session, person);
    }
    const matches = new Map([...sessionOf].map(([person, id]) => [person, clickedIn.get(id) ?? null]));
    const figures = figuresOf(people, matches);
    print(`In the service: ${inWords(figures)}`);
    const expected = matchInMemory(people);
    const numbers = (found: ReadonlyMap<Person, Person | null>) =>
      starts.map(({ person }) => [person.number, found.get(person)?.number ?? null]);
    expect(numbers(matches)).toEqual(numbers(expected));
    expect(figures.wrong).toBeLessThanOrEqual(0.001 * figures.visitors);
    expect(figures.right).toBeGreaterThanOrEqual(0.9 * figures.distinguishable);
    const taken = [...sessionOf.values()].filter((session) => session !== null);
    expect(new Set(taken).size).toBe(taken.length);
    expect(taken.length).toBeGreaterThan(500);
    const [counts] = await app.sql(
      `SELECT (SELECT count(*)::int FROM app_installs) AS installs,
              (SELECT count(*)::int FROM deep_link_resolutions) AS resolutions,
              (SELECT count(*)::int FROM deep_link_resolutions WHERE failure_reason IS NULL) AS resolved`,
    );
    expect(counts).toEqual({ installs: taken.length, resolutions: starts.length, resolved: taken.length });
  });
});

import { CITIES, cityDatabase } from '../support/city-database';
import { eventually } from '../support/eventually';
import { consoleApi, createOrganization } from '../support/factories';
import { createLink, URLS, VALID_LINK } from '../support/links';
import { perSuite, useTestApp } from '../support/test-app';
import { GALAXY, GOOGLEBOT, IPHONE, visit, type VisitOptions } from '../support/visits';

const HERE = 'https://here.example.com/';

describe('conditions of targeting rules', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z', env: { GEOIP_DATABASE: cityDatabase() } });
  const org = perSuite(() => createOrganization(app));

  const rule = (...conditions: object[]) => ({ targeting: [{ conditions, url: HERE }] });
  const make = async (...conditions: object[]) => {
    const { shortUrl } = await createLink(org, rule(...conditions));
    return new URL(shortUrl).pathname;
  };
  const matches = async (path: string, options: VisitOptions = {}) => {
    const { headers } = await visit(app, path, options).expect(302);
    return headers.location?.startsWith(HERE);
  };
  const language = (text: string): VisitOptions => ({ headers: { 'Accept-Language': text } });

  it.each<[string, string[], object, [VisitOptions, boolean][]]>([
    [
      'country',
      ['KR', 'JP'],
      {},
      [
        [{ ip: CITIES.seoul }, true],
        [{ ip: CITIES.korea }, true],
        [{ ip: CITIES.paris }, false],
        [{}, false],
      ],
    ],
    [
      'region',
      ['KR-11', 'FR-IDF'],
      {},
      [
        [{ ip: CITIES.seoul }, true],
        [{ ip: CITIES.busan }, false],
        [{ ip: CITIES.korea }, false],
        [{ ip: CITIES.paris }, true],
      ],
    ],
    [
      'city',
      ['seoul', 'Lyon'],
      {},
      [
        [{ ip: CITIES.seoul }, true],
        [{ ip: CITIES.busan }, false],
        [{}, false],
      ],
    ],
    [
      'device',
      ['Mobile', 'Tablet'],
      {},
      [
        [{ userAgent: IPHONE }, true],
        [{}, false],
      ],
    ],
    [
      'os',
      ['ios', 'macOS'],
      {},
      [
        [{ userAgent: IPHONE }, true],
        [{ userAgent: GALAXY }, false],
      ],
    ],
    [
      'language',
      ['ko', 'pt-BR', 'he'],
      {},
      [
        [language('ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7'), true],
        [language('en-US,en;q=0.9,ko;q=0.8'), false],
        [language('en;q=0.5, KO'), true],
        [language('pt-br'), true],
        [language('pt-PT,pt-BR;q=0.9'), false],
        [language('iw'), true],
        [language('kok'), false],
        [language('*'), false],
        [language('ko;q=0'), false],
        [{}, false],
      ],
    ],
  ])('match by %s %j', async (property, values, more, visits) => {
    const is = await make({ property, operator: 'IS', values: values.slice(0, 1), ...more });
    const oneOf = await make({ property, operator: 'ONE_OF', values, ...more });
    const isNot = await make({ property, operator: 'IS_NOT', values, ...more });
    for (const [options, expected] of visits) {
      expect([options, await matches(oneOf, options)]).toEqual([options, expected]);
      expect([options, await matches(isNot, options)]).toEqual([options, !expected]);
    }
    const [[first] = [{}]] = visits;
    expect(await matches(is, first)).toBe(true);
  });

  it('match by the value of a query parameter, which is passed on', async () => {
    const values = ['a b', 'ä'];
    const path = await make({ property: 'query', operator: 'ONE_OF', parameter: 'ref', values });
    for (const [query, expected] of [
      ['?ref=a+b', true],
      ['?x=1&ref=%C3%A4&ref=c', true],
      ['?ref=c&ref=a+b', false],
      ['?ref=A+b', false],
      ['?Ref=a+b', false],
      ['', false],
    ] as const) {
      expect([query, await matches(path + query)]).toEqual([query, expected]);
    }
    const { headers } = await visit(app, `${path}?ref=a+b`).expect(302);
    expect(headers).toMatchObject({ location: `${HERE}?ref=a+b`, 'cache-control': 'private, no-store' });
  });

  it('match by weekday and time of day in a time zone', async () => {
    const timeZone = 'asia/seoul';
    const path = await make(
      { property: 'weekday', operator: 'ONE_OF', values: ['MON', 'FRI'], timeZone },
      { property: 'time', operator: 'IS', values: ['09:00-18:00'], timeZone },
    );
    const night = await make({
      property: 'time',
      operator: 'ONE_OF',
      values: ['22:00-06:00', '12:00-24:00'],
      timeZone: 'Europe/Berlin',
    });
    for (const [now, atWork, atNight] of [
      ['2026-11-19T23:59:59Z', false, true],
      ['2026-11-20T00:00:00Z', true, true],
      ['2026-11-20T05:00:00Z', true, false],
      ['2026-11-20T08:59:59Z', true, false],
      ['2026-11-20T09:00:00Z', false, false],
      ['2026-11-21T01:00:00Z', false, true],
      ['2026-11-23T00:00:00Z', true, true],
      // Summer time.
      ['2026-07-03T03:59:59Z', true, true],
      ['2026-07-03T04:00:00Z', true, false],
    ] as const) {
      app.clock.set(now);
      expect([now, await matches(path), await matches(night)]).toEqual([now, atWork, atNight]);
    }
  });

  it('have statistics by region and city', async () => {
    const { id, shortUrl } = await createLink(org);
    const path = new URL(shortUrl).pathname;
    for (const ip of [CITIES.seoul, CITIES.seoul, CITIES.busan, CITIES.korea]) {
      await visit(app, path, { ip, userAgent: ip === CITIES.busan ? GOOGLEBOT : IPHONE }).expect(302);
    }
    const groups = async (query: object) => {
      const range = { startDate: '2026-11-20', endDate: '2026-11-20', link: id };
      const { body } = await org.api
        .get('/api/v1/service/analytics/clicks', { ...range, ...query })
        .expect(200);
      return body.groups.map(({ key, value }: { key: string; value: number }) => [key, value]);
    };
    await eventually(async () =>
      expect(await groups({ groupBy: 'region' })).toEqual([
        ['KR-11', 2],
        ['Unknown', 1],
      ]),
    );
    expect(await groups({ groupBy: 'city', metric: 'bots' })).toEqual([['Busan', 1]]);
    expect(await groups({ groupBy: 'country', city: '!Seoul' })).toEqual([['KR', 1]]);
    const { body } = await org.api.get(`${URLS}/${id}/stats`).expect(200);
    expect([body.topRegions, body.topCities]).toEqual(
      ['KR-11', 'Seoul'].map((name) => [{ name, count: 2, percentage: 66.7 }]),
    );
    const clicks = await org.api.get(`${URLS}/${id}/clicks`, { bots: 'only' }).expect(200);
    expect(clicks.body.items).toMatchObject([
      { country: 'KR', region: 'KR-26', city: 'Busan', tracker: null },
    ]);
    const file = await org.api.get(`${URLS}/${id}/clicks/export`).buffer(true).expect(200);
    expect(file.text).toMatch(/,region,city\r\n.*,false,,\r\n.*,false,KR-11,Seoul\r\n/s);
  });

  it('must all be met, together with countries, devices and os', async () => {
    const both = {
      targeting: [
        {
          countries: ['KR'],
          conditions: [
            { property: 'language', operator: 'IS_NOT', values: ['ko'] },
            { property: 'device', operator: 'IS', values: ['Mobile'] },
          ],
          url: HERE,
        },
      ],
    };
    const { shortUrl, targeting, id } = await createLink(org, both);
    const [first] = both.targeting;
    const conditions = first?.conditions.map((each) => ({ ...each, parameter: null, timeZone: null }));
    expect(targeting).toEqual([{ ...first, devices: [], os: [], conditions }]);
    const path = new URL(shortUrl).pathname;
    const phone = { ip: CITIES.seoul, userAgent: IPHONE };
    expect(await matches(path, { ...phone, ...language('en') })).toBe(true);
    expect(await matches(path, { ...phone, ...language('ko') })).toBe(false);
    expect(await matches(path, { ip: CITIES.seoul, ...language('en') })).toBe(false);
    expect(await matches(path, { userAgent: IPHONE, ...language('en') })).toBe(false);
    const { body } = await org.api.put(`${URLS}/${id}`, { targeting }).expect(200);
    expect(body.targeting).toEqual(targeting);
    const found = await org.api.post(URLS, { ...VALID_LINK, ...both, findIfExists: true }).expect(200);
    expect(found.body.id).toBe(id);
  });

  it('are traced, with what the rules before the one that applies lacked', async () => {
    const condition = { property: 'language', operator: 'ONE_OF', values: ['ko', 'ja'] };
    const weekend = {
      property: 'weekday',
      operator: 'ONE_OF',
      values: ['SAT', 'SUN'],
      timeZone: 'Asia/Seoul',
    };
    const city = { property: 'city', operator: 'IS', values: ['Busan'] };
    const query = { property: 'query', operator: 'IS', parameter: 'ref', values: ['a'] };
    const targeting = [[condition], [weekend], [query, city]].map((conditions) => ({
      conditions,
      url: HERE,
    }));
    const { link } = await createLink(org, { targeting });
    const trace = async (asked: object) => {
      const url = `${org.consolePath}/links/trace`;
      return (
        await consoleApi(app)
          .get(url, { url: link, acceptLanguage: 'en-US,ko;q=0.9', ...asked })
          .expect(200)
      ).body.rule;
    };
    const skipped = [
      { property: 'language', value: 'en-us' },
      { property: 'weekday', value: 'FRI' },
      { property: 'query', value: null },
    ];
    expect(await trace({})).toEqual({ kind: 'DESTINATION', index: null, skipped });
    expect(await trace({ url: `${link as string}?ref=a`, city: 'busan' })).toEqual({
      kind: 'TARGETING',
      index: 2,
      skipped: skipped.slice(0, 2),
    });
    expect(await trace({ at: '2026-11-20T15:00:00Z' })).toMatchObject({ kind: 'TARGETING', index: 1 });
    expect(await trace({ acceptLanguage: 'ja' })).toEqual({ kind: 'TARGETING', index: 0, skipped: [] });
  });

  const is = (property: string, ...values: unknown[]) => ({ property, operator: 'IS', values });
  const time = { timeZone: 'Asia/Seoul' };
  it.each<[string, object]>([
    ['values', is('language')],
    ['values', is('language', 'ko', 'ja')],
    ['values', is('language', 'Korean')],
    ['values', is('country', 'kr')],
    ['values', is('region', 'XX-11')],
    ['values', is('device', 'Phone')],
    ['parameter', is('query', 'a')],
    ['parameter', { ...is('language', 'ko'), parameter: 'ref' }],
    ['values', { ...is('weekday', 'Monday'), ...time }],
    ['timeZone', is('weekday', 'MON')],
    ['timeZone', { ...is('weekday', 'MON'), timeZone: 'Korea/Seoul' }],
    ['timeZone', { ...is('language', 'ko'), ...time }],
    ['timeZone', is('time', '09:00-18:00')],
    ...['9:00-18:00', '09:00', '09:00-09:00', '24:00-10:00', '09:00-24:01', '09:60-10:00'].map(
      (text): [string, object] => ['values', { ...is('time', text), ...time }],
    ),
  ])('refuse a wrong %s: %j', async (field, condition) => {
    const { body } = await org.api
      .post(URLS, { ...VALID_LINK, ...rule(is('language', 'ko'), condition) })
      .expect(400);
    expect(body).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: `targeting[0].conditions[1].${field}` }],
    });
  });

  it('are at most ten', async () => {
    const body = { ...VALID_LINK, ...rule(...Array.from({ length: 11 }, () => is('language', 'ko'))) };
    expect((await org.api.post(URLS, body).expect(400)).body.details[0].field).toBe(
      'targeting[0].conditions',
    );
  });
});

import { request as httpRequest, type ClientRequest } from 'node:http';
import { ConcurrentUses } from '../../src/access/limits/concurrent-uses';
import { eventually } from '../support/eventually';
import { consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { CONTACTS, createBook } from '../support/contacts';
import { URLS, VALID_LINK } from '../support/links';
import { API_HOST, TestApp, useTestApp } from '../support/test-app';

const times = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => of(n));

describe('limits', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });

  const counted = async (table: 'link_counts' | 'contact_counts', { organizationId }: TestOrganization) => {
    const what = table === 'link_counts' ? 'links' : 'contacts';
    const [row] = await app.sql<{ count: number }>(
      `SELECT coalesce(sum(${what}), 0)::int AS count FROM ${table} WHERE organization_id = $1`,
      [organizationId],
    );
    return row?.count;
  };

  const csv = (organization: TestOrganization, path: string, file: string) =>
    consoleApi(app)
      .post(`${organization.consolePath}/${path}`)
      .set('Content-Type', 'text/csv')
      .serialize((text: unknown) => text as string)
      .send(file as never);

  describe('of links', () => {
    it('are never passed by a hundred creations at once', async () => {
      const own = await createOrganization(app, { limits: { links: 25 } });
      const bulk = { items: times(3, () => VALID_LINK) };
      const answers = await Promise.all(
        times(100, (n) => {
          if (n % 4 === 1) return own.api.post(`${URLS}/bulk`, bulk);
          if (n % 4 === 2) return own.api.post(URLS).set('Idempotency-Key', `k${n}`).send(VALID_LINK);
          if (n % 4 === 3) return own.api.post(URLS, { ...VALID_LINK, title: `${n}`, findIfExists: true });
          return own.api.post(URLS, { ...VALID_LINK, customAlias: `o${own.organizationId}-${n}` });
        }),
      );
      expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 201, 403]);
      expect(await counted('link_counts', own)).toBe(25);
      const { body } = await own.api.post(URLS, VALID_LINK).expect(403);
      expect(body).toMatchObject({
        code: 'LIMIT_REACHED',
        limit: 25,
        usage: 25,
        message: 'The limit is 25 links; 25 are in use',
      });
    });

    it('are never passed by imports at once', async () => {
      const own = await createOrganization(app, { limits: { links: 30, concurrentImports: 10 } });
      const file = `url\n${`${VALID_LINK.url}\n`.repeat(7)}`;
      const answers = await Promise.all(
        times(8, (n) =>
          own.api
            .post(`${URLS}/import`)
            .set('Content-Type', 'text/csv')
            .set(n % 2 === 0 ? { 'Idempotency-Key': `file ${n}` } : {})
            .serialize((text: unknown) => text as string)
            .send(file as never),
        ),
      );
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
      expect(await counted('link_counts', own)).toBe(30);
    });
  });

  describe('of contacts', () => {
    it('are never passed by a hundred creations at once', async () => {
      const own = await createBook(app, { limits: { contacts: 25 } });
      const answers = await Promise.all(
        times(100, (n) =>
          n % 5 === 0
            ? own.api.post(
                `${CONTACTS}/bulk`,
                times(3, (i) => ({ externalUserId: `b${n}-${i}` })),
              )
            : own.api.post(CONTACTS, { externalUserId: `m${n}` }),
        ),
      );
      expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 201, 403]);
      expect(await counted('contact_counts', own)).toBe(25);
    });

    it('let what is there be changed, and count what is active', async () => {
      const own = await createBook(app, { limits: { contacts: 2 } });
      const save = (externalUserId: string, fields: object = {}) =>
        own.api.post(CONTACTS, { externalUserId, ...fields });
      const first = await save('a').expect(201);
      await save('b').expect(201);
      const { body } = await save('c').expect(403);
      expect(body).toMatchObject({ code: 'LIMIT_REACHED', limit: 2, usage: 2 });
      await save('a', { name: 'Kim' }).expect(200);
      const bulk = [{ externalUserId: 'b', name: 'Lee' }, { externalUserId: 'c' }, { name: 'Nobody' }];
      expect((await own.api.post(`${CONTACTS}/bulk`, bulk).expect(200)).body).toEqual({
        created: 0,
        updated: 1,
        failed: 2,
        errors: [
          {
            index: 1,
            value: 'c',
            reason: 'LIMIT_REACHED',
            message: 'The limit is 2 contacts; 2 are in use',
          },
          {
            index: 2,
            value: null,
            reason: 'LIMIT_REACHED',
            message: 'The limit is 2 contacts; 2 are in use',
          },
        ],
      });
      await own.api.delete(`${CONTACTS}/${first.body.id}`).expect(204);
      await save('c').expect(201);
      // It would be active again.
      await save('a').expect(403);
      const imported = await csv(own, 'messaging/contacts/import', 'externalUserId\nb\nd\n').expect(200);
      expect(imported.body).toMatchObject({ created: 0, updated: 1, failed: 1, errors: [{ line: 3 }] });
    });
  });

  describe('of what is made one by one', () => {
    const makers: Record<string, (n: number, userId: number) => readonly [path: string, body: object]> = {
      apps: (n) => ['mobile-apps', { appName: 'Shop', platform: 'iOS', bundleId: `com.example.n${n}` }],
      customDomains: (n) => ['custom-domains', { domainName: `n${n}.limits.example` }],
      campaigns: () => ['campaigns', { originalUrl: VALID_LINK.url, name: 'Spring' }],
      contactGroups: (n) => ['messaging/groups', { name: `Group ${n}` }],
      apiKeys: (n, userId) => ['api-keys', { name: `Key ${n}`, userId, scopes: ['links:read'] }],
      users: (n, userId) => ['users', { username: `limited-${userId}-${n}`, password: 'a long password' }],
      invitations: () => ['invitations', { role: 'VIEWER' }],
      allowListEntries: (n) => ['ip-allow-list', { cidr: `203.0.113.${n}` }],
      webhookEndpoints: (n) => ['webhooks', { url: `https://hooks.example.com/${n}`, events: ['*'] }],
    };
    /** What there is from the start. */
    const there: Record<string, number> = { apiKeys: 1, users: 1 };

    it.each(Object.entries(makers))('are never passed by %s at once, and are named', async (name, make) => {
      const limit = 4;
      const own = await createBook(app, { limits: { [name]: limit } });
      const platform = consoleApi(app);
      const base = own.consolePath;
      if (name === 'contactGroups') await platform.get(`${base}/messaging/groups`).expect(200);
      const used = async () => (await platform.get(`${base}/usage`).expect(200)).body[name] as object;
      const before = (await used()) as { usage: number };
      expect(before).toMatchObject({ limit });
      expect(before.usage).toBeGreaterThanOrEqual(there[name] ?? 0);
      const answers = await Promise.all(
        times(9, (n) => {
          const [path, body] = make(n, own.userId);
          return platform.post(`${base}/${path}`, body);
        }),
      );
      const statuses = answers.map(({ status }) => status).sort();
      const room = limit - before.usage;
      expect([name, statuses]).toEqual([name, [...times(room, () => 201), ...times(9 - room, () => 403)]]);
      const refusal = answers.find(({ status }) => status === 403)?.body as { message: string };
      expect(refusal).toMatchObject({ code: 'LIMIT_REACHED', limit, usage: limit });
      expect(refusal.message).toMatch(/^The limit is 4 [A-Za-z -]+; 4 are in use$/);
      expect(await used()).toEqual({ limit, usage: limit });
      await platform.patch(base, { limits: { [name]: limit + 1 } }).expect(200);
      const [path, body] = make(10, own.userId);
      await platform.post(`${base}/${path}`, body).expect(201);
    });
  });

  describe('of imported rows', () => {
    it('end a file of links, contacts or opt-outs with what was read before', async () => {
      const own = await createBook(app, { limits: { importRows: 3 } });
      const lines = (header: string, line: (n: number) => string) =>
        [header, ...times(4, line), ''].join('\n');
      const refused = { code: 'LIMIT_REACHED', limit: 3, usage: 3 };
      const links = await csv(
        own,
        'urls/import',
        lines('url', () => VALID_LINK.url),
      ).expect(403);
      expect(links.body).toMatchObject({ ...refused, created: 3, failed: 0 });
      expect(links.body.message).toBe(
        'line 5: exceeds the limit of 3 rows in a file; of the rows before it 3 were created and 0 failed',
      );
      const contacts = await csv(
        own,
        'messaging/contacts/import',
        lines('externalUserId', (n) => `m${n}`),
      ).expect(403);
      expect(contacts.body).toMatchObject({ ...refused, created: 3 });
      const optOuts = await csv(
        own,
        'messaging/unsubscribes/import?channel=EMAIL&method=CSV',
        lines('value', (n) => `m${n}@example.com`),
      ).expect(403);
      expect(optOuts.body).toMatchObject({ ...refused, imported: { accepted: 3 } });
      const items = times(4, (n) => ({ value: `n${n}@example.com` }));
      const json = await consoleApi(app)
        .post(`${own.consolePath}/messaging/unsubscribes/import`)
        .query({ channel: 'EMAIL', method: 'CSV' })
        .send({ channel: 'EMAIL', method: 'CSV', items })
        .expect(403);
      expect(json.body).toMatchObject({ code: 'LIMIT_REACHED', limit: 3, usage: 4 });
    });
  });

  it.each([{ redis: true }, { redis: false }])(
    'of imports at once free when one ends, with %j',
    async ({ redis }) => {
      const one = await TestApp.start({ redis });
      // Without Redis, there is only one process.
      const two = redis ? await TestApp.start({ database: one.database }) : null;
      const running: ClientRequest[] = [];
      const begin = (at: TestApp, { apiKey }: TestOrganization) => {
        const headers = { Host: API_HOST, 'X-API-KEY': apiKey, 'Content-Type': 'text/csv' };
        const sent = httpRequest(`${at.url}${URLS}/import`, { method: 'POST', headers });
        sent.on('error', () => undefined).write(`url\n${VALID_LINK.url}\n`);
        running.push(sent);
        return sent;
      };
      try {
        const own = await createOrganization(one, { limits: { concurrentImports: 2 } });
        begin(one, own);
        const last = begin(two ?? one, own);
        const count = () => one.get(ConcurrentUses).count('imports', own.organizationId);
        await eventually(async () => expect(await count()).toBe(2));
        const short = () =>
          own.api
            .post(`${URLS}/import`)
            .set('Content-Type', 'text/csv')
            .serialize((text: unknown) => text as string)
            .send(`url\n${VALID_LINK.url}\n` as never);
        const { body } = await short().expect(403);
        expect(body).toMatchObject({
          code: 'LIMIT_REACHED',
          limit: 2,
          usage: 2,
          message: 'The limit is 2 imports at once; 2 are in use',
        });
        const other = await createOrganization(one, { limits: { concurrentImports: 1 } });
        await other.api.post(URLS, VALID_LINK).expect(201);
        last.end();
        await eventually(async () => expect(await count()).toBe(1));
        await short().expect(200);
      } finally {
        running.forEach((sent) => sent.destroy());
        await two?.close();
        await one.close();
      }
    },
  );

  describe('of simultaneous uses', () => {
    const shared = useTestApp({ redis: true });

    it('are never passed by a hundred at once, in several processes', async () => {
      const second = await TestApp.start({ database: shared.database });
      try {
        let release: () => void = () => undefined;
        const held = new Promise<void>((resolve) => (release = resolve));
        let begun = 0;
        const refusals: string[] = [];
        const attempts = times(100, (n) =>
          (n % 2 === 0 ? shared : second)
            .get(ConcurrentUses)
            .during('listeners', 7, 20, () => {
              begun++;
              return held;
            })
            .catch((error: unknown) => refusals.push((error as { code: string }).code)),
        );
        await eventually(async () => expect(refusals).toEqual(times(80, () => 'LIMIT_REACHED')));
        expect(begun).toBe(20);
        expect(await second.get(ConcurrentUses).count('listeners', 7)).toBe(20);
        release();
        await Promise.all(attempts);
        await eventually(async () => expect(await shared.get(ConcurrentUses).count('listeners', 7)).toBe(0));
      } finally {
        await second.close();
      }
    });
  });
});

import type { Test } from 'supertest';
import { publishableFor } from '../support/access-table';
import { publishably, registerApp, type RegisteredApp, signatureOf } from '../support/apps';
import { heard } from '../support/eventually';
import { appApi, consoleApi, createOrganization, signIn } from '../support/factories';
import { codeOf, createLink } from '../support/links';
import { OpenApi, type Route, sendExample } from '../support/openapi';
import { Resources } from '../support/resources';
import { perSuite, useTestApp } from '../support/test-app';

const NOW = '2026-11-20T08:32:00.000Z';
const CROSS = '/api/v1/cross-platform';
const MEMBER = 'member-1001';
const SIGNATURE = 'X-Identity-Signature';

describe('the publishable key of an app', () => {
  const lines: Record<string, unknown>[] = [];
  const app = useTestApp({
    at: NOW,
    env: { LOG_LEVEL: 'info' },
    logTo: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  let routes: Route[];
  const own = perSuite(() => createOrganization(app));
  const shop = perSuite(() => registerApp(own));
  const api = perSuite(() => OpenApi.of(app));
  beforeAll(() => {
    routes = api.routes().filter(({ scheme }) => scheme === 'app');
  });

  const publishable = (of = shop) => appApi(app, publishably(of));
  const console = ({ id }: RegisteredApp, verb: string, { organizationId } = own) =>
    consoleApi(app).post(`/api/v1/console/organizations/${organizationId}/mobile-apps/${id}/${verb}`);

  describe('opens the operations of the OpenAPI document', () => {
    const codesOf = (route: Route, status: number) => Object.keys(api.errorsOf(route, status));
    /** The field of a body that names a member. */
    const memberOf = (route: Route) => {
      const { properties = {} } = api.bodyOf(route) ?? {};
      if (route.path.endsWith('/associations')) return 'identify';
      return 'externalUserId' in properties ? 'externalUserId' : null;
    };
    const call = (route: Route, as: { id: number; apiKey: string }) =>
      sendExample(app, api, route, Resources.missing(route, own.organizationId), { app: as });
    const withMember = (route: Route, as: { id: number; apiKey: string }, member: unknown) => {
      const body = api.exampleOf(api.bodyOf(route) ?? {}) as object;
      return call(route, as).send({ ...body, [memberOf(route) ?? '']: member });
    };
    const answerOf = async (test: Test) => {
      const { status, body } = await test;
      const { code } = body as { code?: string };
      return [401, 403, 429].includes(status) || status >= 500 ? (code ?? status) : 'open';
    };

    it('as the table says, which decides about each of them', () => {
      const documented = routes.map((route) => [route.operationId, route['x-publishable-key']]);
      expect(documented).toEqual(routes.map((route) => [route.operationId, publishableFor(route)]));
      expect(documented.length).toBeGreaterThan(35);
      expect(new Set(documented.map(([, use]) => use))).toEqual(new Set(['yes', 'own', 'identity', 'no']));
      const others = api.routes().filter(({ scheme }) => scheme !== 'app');
      expect(others.filter((route) => route['x-publishable-key'])).toEqual([]);
    });

    it('and documents header and errors where they are', () => {
      for (const route of routes) {
        const use = publishableFor(route);
        const named = (route.parameters ?? []).filter(({ name }) => name === SIGNATURE);
        const mayBeSigned = use !== 'no' && memberOf(route) !== null;
        const said = [
          named.map(({ required }) => required),
          codesOf(route, 401).includes('IDENTITY_SIGNATURE_REQUIRED'),
          codesOf(route, 403).includes('SECRET_KEY_REQUIRED'),
          codesOf(route, 403).includes('ORIGIN_NOT_ALLOWED'),
        ];
        const expected = [mayBeSigned ? [false] : [], mayBeSigned, use === 'no', true];
        expect([route.operationId, said]).toEqual([route.operationId, expected]);
      }
    });

    it('exactly', async () => {
      const key = publishably(shop);
      const wrong: unknown[] = [];
      const expectAnswer = async (route: Route, how: string, test: Test, expected: string) => {
        const answer = await answerOf(test);
        if (answer !== expected) wrong.push([route.operationId, how, answer]);
      };
      for (const route of routes) {
        // Each operation has a minute of its own, so that no limit is reached.
        app.clock.advance(60_000);
        const use = publishableFor(route);
        await expectAnswer(route, 'secret key', call(route, shop), 'open');
        if (use === 'no') {
          await expectAnswer(route, 'publishable key', call(route, key), 'SECRET_KEY_REQUIRED');
          const signed = call(route, key).set(SIGNATURE, signatureOf(shop, MEMBER));
          await expectAnswer(route, 'signed', signed, 'SECRET_KEY_REQUIRED');
          continue;
        }
        if (use !== 'identity') await expectAnswer(route, 'publishable key', call(route, key), 'open');
        if (memberOf(route) === null) continue;
        await expectAnswer(route, 'member with the secret key', withMember(route, shop, MEMBER), 'open');
        const refused = (how: string, test: Test) =>
          expectAnswer(route, how, test, 'IDENTITY_SIGNATURE_REQUIRED');
        await refused('unsigned', withMember(route, key, MEMBER));
        const forged = withMember(route, key, MEMBER).set(SIGNATURE, signatureOf(shop, 'member-1002'));
        await refused("another member's", forged);
        await refused('no text', withMember(route, key, [MEMBER]).set(SIGNATURE, signatureOf(shop, MEMBER)));
        const signed = withMember(route, key, MEMBER).set(SIGNATURE, signatureOf(shop, MEMBER));
        await expectAnswer(route, 'signed', signed, 'open');
      }
      expect(wrong).toEqual([]);
    });
  });

  describe('with the signature of a member', () => {
    const identify = (signature: string | undefined, externalUserId = MEMBER, of = shop) => {
      const call = publishable(of).post(`${CROSS}/identify`, { externalUserId, name: 'Minji' });
      return signature === undefined ? call : call.set(SIGNATURE, signature);
    };

    it('identifies that member as often as it is sent, and nobody else', async () => {
      const signature = signatureOf(shop, MEMBER);
      await identify(signature).expect(200);
      await identify(signature).expect(200);
      await identify(signature.toUpperCase()).expect(200);
      const unicode = '회원-1001 ';
      await identify(signatureOf(shop, unicode), unicode).expect(200);
      const sibling = await registerApp(own);
      const wrong = [
        undefined,
        '',
        'x',
        signature.slice(1),
        `${signature}00`,
        `${signature}, ${signature}`,
        signatureOf(sibling, MEMBER),
        signatureOf({ apiKey: shop.publishableKey }, MEMBER),
        signatureOf(shop, `${MEMBER} `),
      ];
      for (const each of wrong) {
        const { body } = await identify(each).expect(401);
        expect(body).toEqual({
          status: 401,
          error: 'Unauthorized',
          code: 'IDENTITY_SIGNATURE_REQUIRED',
          message:
            'X-Identity-Signature must be the HMAC-SHA256 of externalUserId with the secret key of the app, in hex',
          timestamp: '2026-11-20T08:32:00Z',
        });
      }
      await identify(signature, 'member-1002').expect(401);
      await identify(signature, MEMBER, sibling).expect(401);
    });

    it('reads no other field than the one that names the member', async () => {
      const code = codeOf(await createLink(own));
      const associate = (body: object, signer: string) =>
        publishable()
          .post(`/api/v1/sdk/mobile/links/${code}/associations`, { tokenidx: '1', ...body })
          .set(SIGNATURE, signatureOf(shop, signer));
      const disguised = { externalUserId: MEMBER, identify: 'member-1002' };
      const { body } = await associate(disguised, MEMBER).expect(401);
      expect(body.message).toContain('HMAC-SHA256 of identify');
      await associate(disguised, 'member-1002').expect(200);
    });

    it('reports a malformed body after the checks of access, as with the secret key', async () => {
      const broken = publishable().post(`${CROSS}/session/create`).set('Content-Type', 'application/json');
      expect((await broken.send('{').expect(400)).body.code).toBe('MALFORMED_JSON');
      const blank = { externalUserId: ' ', name: 'Minji' };
      const call = publishable().post(`${CROSS}/identify`, blank).set(SIGNATURE, signatureOf(shop, ' '));
      expect((await call.expect(400)).body.details[0].field).toBe('externalUserId');
    });

    it('is named in the audit log and in the log of requests', async () => {
      const entries = async () => {
        const path = `${own.consolePath}/audit-log?actorType=APP&size=2`;
        const { body } = await consoleApi(app).get(path).expect(200);
        return (body as { content: { action: string; actor: object }[] }).content;
      };
      lines.length = 0;
      await identify(signatureOf(shop, 'member-7'), 'member-7').expect(200);
      await appApi(app, shop)
        .post(`${CROSS}/opt-in`, { externalUserId: 'member-7', smsOptIn: true })
        .expect(200);
      const actor = { type: 'APP', id: shop.id, name: 'Shop' };
      expect(await entries()).toEqual([
        expect.objectContaining({ action: 'contact.update', actor: { ...actor, key: 'secret' } }),
        expect.objectContaining({ action: 'contact.create', actor: { ...actor, key: 'publishable' } }),
      ]);
      const logged = lines.filter(({ route }) => String(route).startsWith(CROSS));
      expect(logged.map(({ appKey }) => appKey)).toEqual(['publishable', 'secret']);
      expect(JSON.stringify(lines)).not.toMatch(/wp_(pub|app)_/);
    });
  });

  describe('that is regenerated', () => {
    const second = useTestApp(() => ({ database: app.database }));
    const session = (of: { id: number; apiKey: string }, on = app) =>
      appApi(on, of).post(`${CROSS}/session/create`, { platform: 'IOS' });

    it('ends on every process, and leaves the secret key', async () => {
      const made = await registerApp(own);
      for (const on of [app, second]) await session(publishably(made), on).expect(201);
      const { body } = await console(made, 'regenerate-publishable-key').expect(201);
      expect(body).toEqual({ ...made, publishableKey: expect.stringMatching(/^wp_pub_\w{38}$/) });
      expect(body.publishableKey).not.toBe(made.publishableKey);
      await session(publishably(made)).expect(401);
      await heard(() => session(publishably(made), second).expect(401));
      for (const on of [app, second]) {
        await session(publishably(body as RegisteredApp), on).expect(201);
        await session(made, on).expect(201);
      }
      const log = `${own.consolePath}/audit-log?size=1`;
      const { content } = await consoleApi(app).read<{ content: object[] }>(log);
      const entry = { action: 'app.regenerate_publishable_key', resourceId: String(made.id), changes: {} };
      expect(content[0]).toMatchObject(entry);
      const foreign = await createOrganization(app);
      await console(made, 'regenerate-publishable-key', foreign).expect(404);
    });

    it('stays when the secret key is regenerated, which ends the signatures made with that', async () => {
      const made = await registerApp(own);
      const identify = (signer: RegisteredApp, on = app) =>
        appApi(on, publishably(made))
          .post(`${CROSS}/identify`, { externalUserId: MEMBER })
          .set(SIGNATURE, signatureOf(signer, MEMBER));
      for (const on of [app, second]) await identify(made, on).expect(200);
      const { body } = await console(made, 'regenerate-key').expect(201);
      expect(body.publishableKey).toBe(made.publishableKey);
      await identify(made).expect(401);
      await heard(() => identify(made, second).expect(401));
      for (const on of [app, second]) await identify(body as RegisteredApp, on).expect(200);
    });
  });

  it('is shown to every role, unlike the secret key', async () => {
    const organization = await createOrganization(app, { role: 'VIEWER' });
    const path = `${organization.consolePath}/mobile-apps`;
    const registration = { platform: 'Web', appName: 'Site', bundleId: 'site' };
    const { body: made } = await consoleApi(app).post(path, registration).expect(201);
    const viewer = await signIn(app, organization);
    const { body: seen } = await viewer.get(`${path}/${made.id}`).expect(200);
    expect(seen).toEqual({ ...made, apiKey: `${(made as RegisteredApp).apiKey.slice(0, 12)}…` });
    expect(seen.publishableKey).toMatch(/^wp_pub_\w{38}$/);
    await viewer.post(`${path}/${made.id}/regenerate-publishable-key`).expect(403);
  });
});

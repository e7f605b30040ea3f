import { consoleApi, createOrganization, signIn, type TestOrganization } from '../support/factories';
import {
  createUser,
  invite,
  newAddress,
  OIDC_START,
  outcomeOf,
  useIdentityProvider,
  whoIs,
} from '../support/oidc-sign-in';
import { API_HOST, useTestApp } from '../support/test-app';

const ORIGIN = `http://${API_HOST}`;
const ME = '/api/v1/console/me';

describe('console: signing in with an identity provider', () => {
  const oidc = useIdentityProvider({ OIDC_LABEL: 'Acme SSO' });
  const { app } = oidc;
  const second = useTestApp(() => ({ database: app.database, env: oidc.provider().env }));
  let own: TestOrganization;
  beforeEach(async () => {
    second.clock.run();
    own = await createOrganization(app);
  });

  it('is offered by the sign-in page', async () => {
    const { body } = await oidc.browser().send('get', '/api/v1/console/sign-in-options');
    const offered = { label: 'Acme SSO', url: `${ORIGIN}${OIDC_START}` };
    expect(body).toEqual({ passwordLogin: true, oidc: offered });
  });

  describe('finds a user', () => {
    it('by a verified address the first time, and opens a session with a cookie', async () => {
      const email = newAddress();
      const { id } = await createUser(app, own.organizationId, email, { role: 'EDITOR' });
      const at = oidc.browser();
      const answer = await oidc.signIn(
        oidc.person({ email: email.toUpperCase() }),
        '?returnTo=/console/links?q=a%26b',
        at,
      );
      expect(answer.status).toBe(302);
      expect(answer.headers.location).toBe(`${ORIGIN}/console/links?q=a&b`);
      const cookie = String(answer.headers['set-cookie']);
      expect(cookie).toMatch(
        /^waypost_session=wp_console_[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
      );
      expect(await whoIs(at)).toMatchObject({ id, email, role: 'EDITOR', hasPassword: true });
      const { body } = await at.send('get', '/api/v1/console/sessions');
      expect(body.content).toEqual([expect.objectContaining({ openedBy: 'OIDC', current: true })]);
      const log = `/api/v1/console/organizations/${own.organizationId}/audit-log?action=user.link_identity`;
      const { content } = (await consoleApi(app).get(log)).body as { content: object[] };
      expect(content).toEqual([
        expect.objectContaining({
          resourceId: String(id),
          changes: { issuer: { from: null, to: oidc.provider().issuer } },
        }),
      ]);
    });

    it('by issuer and subject from then on, whatever becomes of the address', async () => {
      const email = newAddress();
      const { id } = await createUser(app, own.organizationId, email);
      const subject = oidc.person({ email });
      expect(outcomeOf(await oidc.signIn(subject))).toBe('/console');
      for (const account of [{ email: newAddress() }, { email, email_verified: false }, {}]) {
        oidc.provider().accounts.set(subject, account);
        const at = oidc.browser();
        expect(outcomeOf(await oidc.signIn(subject, '', at))).toBe('/console');
        expect(await whoIs(at)).toMatchObject({ id, email });
      }
    });

    it('over any process', async () => {
      const email = newAddress();
      const { id } = await createUser(app, own.organizationId, email);
      const at = oidc.browser();
      const callback = await oidc.callback(at, oidc.person({ email }));
      const cookies = { Cookie: `waypost_oidc=${at.cookie('waypost_oidc')}` };
      const there = oidc.browser(second);
      expect(outcomeOf(await there.send('get', callback, undefined, cookies))).toBe('/console');
      expect((await whoIs(there)).id).toBe(id);
    });

    it('but not by an address that the provider has not verified', async () => {
      const email = newAddress();
      await createUser(app, own.organizationId, email);
      const unverified: object[] = [
        { email, email_verified: false },
        { email, email_verified: undefined },
        { email, email_verified: 'true' },
        { email: undefined },
        { email: 'not an address' },
      ];
      for (const account of unverified) {
        const at = oidc.browser();
        expect(outcomeOf(await oidc.signIn(oidc.person(account), '', at))).toBe('EMAIL_NOT_VERIFIED');
        expect((await at.send('get', ME)).status).toBe(401);
      }
    });

    it('nor by an address that a user has set without an ADMIN', async () => {
      const email = newAddress();
      const user = await createUser(app, own.organizationId, newAddress());
      const by = await signIn(app, user);
      await by.patch(ME, { email, currentPassword: user.password }).expect(200);
      expect(outcomeOf(await oidc.signIn(oidc.person({ email })))).toBe('NOT_INVITED');
    });

    it('nor one who has another identity already', async () => {
      const email = newAddress();
      await createUser(app, own.organizationId, email);
      const first = oidc.person({ email });
      expect(outcomeOf(await oidc.signIn(first))).toBe('/console');
      expect(outcomeOf(await oidc.signIn(oidc.person({ email })))).toBe('USER_LINKED');
      expect(outcomeOf(await oidc.signIn(first))).toBe('/console');
    });

    it('whom an ADMIN has unlinked', async () => {
      const email = newAddress();
      const { id } = await createUser(app, own.organizationId, email, { permissions: ['revenue.view'] });
      const [old, current] = [oidc.person({ email }), oidc.person({ email })];
      await oidc.signIn(old);
      const users = `/api/v1/console/organizations/${own.organizationId}/users`;
      const admin = await createUser(app, own.organizationId, newAddress(), { role: 'ADMIN' });
      const lesser = await signIn(app, admin);
      for (const call of [
        lesser.delete(`${users}/${id}/identities`),
        lesser.patch(`${users}/${id}`, { email: newAddress() }),
      ]) {
        expect((await call.expect(403)).body.permission).toBe('revenue.view');
      }
      expect(outcomeOf(await oidc.signIn(current))).toBe('USER_LINKED');
      for (let i = 0; i < 2; i++) await consoleApi(app).delete(`${users}/${id}/identities`).expect(204);
      const log = `/api/v1/console/organizations/${own.organizationId}/audit-log?action=user.unlink_identity`;
      expect((await consoleApi(app).get(log)).body.totalElements).toBe(1);
      expect(outcomeOf(await oidc.signIn(current))).toBe('/console');
      expect(outcomeOf(await oidc.signIn(old))).toBe('USER_LINKED');
      const other = await createOrganization(app);
      const theirs = `/api/v1/console/organizations/${other.organizationId}/users/${id}/identities`;
      await consoleApi(app).delete(theirs).expect(404);
    });

    it('nor one who has been deleted, or whose organization has', async () => {
      const email = newAddress();
      const { id } = await createUser(app, own.organizationId, email);
      const subject = oidc.person({ email });
      expect(outcomeOf(await oidc.signIn(subject))).toBe('/console');
      const organization = `/api/v1/console/organizations/${own.organizationId}`;
      await consoleApi(app).delete(`${organization}/users/${id}`).expect(204);
      expect(outcomeOf(await oidc.signIn(subject))).toBe('NOT_INVITED');
      await createUser(app, own.organizationId, email);
      expect(outcomeOf(await oidc.signIn(subject))).toBe('/console');
      await consoleApi(app).delete(organization).expect(204);
      expect(outcomeOf(await oidc.signIn(subject))).toBe('NOT_INVITED');
      expect(outcomeOf(await oidc.signIn(oidc.person({ email })))).toBe('NOT_INVITED');
    });
  });

  describe('opens a session', () => {
    it('that ends here, and at the provider by another address', async () => {
      const email = newAddress();
      const { username, password } = await createUser(app, own.organizationId, email);
      const at = oidc.browser();
      await oidc.signIn(oidc.person({ email }), '', at);
      const { status, body } = await at.send('post', '/api/v1/console/logout');
      expect(status).toBe(200);
      const url = new URL((body as { signOutUrl: string }).signOutUrl);
      expect(url.origin).toBe(oidc.provider().issuer);
      expect(Object.fromEntries(url.searchParams)).toEqual({
        client_id: 'waypost',
        post_logout_redirect_uri: `${ORIGIN}/console/sign-in`,
      });
      expect((await fetch(url)).status).toBe(200);
      expect((await at.send('get', ME)).status).toBe(401);
      await at.send('post', '/api/v1/console/sessions', { username, password });
      expect((await at.send('post', '/api/v1/console/logout')).body).toEqual({ signOutUrl: null });
    });

    it('of a user without a password, whom no password signs in', async () => {
      const email = newAddress();
      await invite(app, own.organizationId, { email });
      const at = oidc.browser();
      await oidc.signIn(oidc.person({ email }), '', at);
      for (const password of ['', 'null', 'correct horse battery staple']) {
        const answer = await at.send('post', '/api/v1/console/login', { username: email, password });
        expect(answer.status).toBe(password === '' ? 400 : 401);
      }
      const renamed = await at.send('patch', ME, { password: 'a password of their own' });
      expect(renamed.body).toMatchObject({ hasPassword: true });
    });
  });
});

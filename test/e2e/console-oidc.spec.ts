import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { BrowserSession } from '../support/browser-session';
import { consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { type Account, CALLBACK, TestIdentityProvider } from '../support/identity-provider';
import {
  beginOidc,
  createUser,
  invite,
  newAddress,
  OIDC_START,
  outcomeOf,
  signInWith,
} from '../support/oidc-sign-in';
import { API_HOST, useTestApp } from '../support/test-app';

const ORIGIN = `http://${API_HOST}`;
const ME = '/api/v1/console/me';
const HOUR = 3_600_000;

describe('console: signing in with an identity provider', () => {
  let provider: TestIdentityProvider;
  beforeAll(async () => {
    provider = await TestIdentityProvider.start();
  });
  afterAll(() => provider.stop());
  const app = useTestApp(() => ({ env: { ...provider.env, OIDC_LABEL: 'Acme SSO' } }));
  const second = useTestApp(() => ({ database: app.database, env: provider.env }));

  let own: TestOrganization;
  let networks = 0;
  let ip: string;
  beforeEach(async () => {
    for (const at of [app, second]) at.clock.run();
    ip = `198.51.100.${++networks}`;
    own = await createOrganization(app);
  });

  const browser = (at = app) => new BrowserSession(at).from(ip);

  /** A person with an account at the provider. @returns the subject */
  function person(account: Account): string {
    const subject = randomUUID();
    provider.accounts.set(subject, { email_verified: true, ...account });
    return subject;
  }

  const signIn = (subject: string, query = '', from = browser()) =>
    signInWith(provider, from, subject, query);

  /** Who is signed in. */
  const me = async (from: BrowserSession) => (await from.send('get', ME)).body as Record<string, unknown>;

  const linkTo = (invitation: string) => `?invitation=${invitation}`;

  it('is offered by the sign-in page', async () => {
    const { body } = await browser().send('get', '/api/v1/console/sign-in-options');
    const oidc = { label: 'Acme SSO', url: `${ORIGIN}${OIDC_START}` };
    expect(body).toEqual({ passwordLogin: true, oidc });
  });

  describe('finds a user', () => {
    it('by a verified address the first time, and opens a session with a cookie', async () => {
      const email = newAddress();
      const { id } = await createUser(app, own.organizationId, email, { role: 'EDITOR' });
      const at = browser();
      const answer = await signIn(
        person({ email: email.toUpperCase() }),
        '?returnTo=/console/links?q=a%26b',
        at,
      );
      expect(answer.status).toBe(302);
      expect(answer.headers.location).toBe(`${ORIGIN}/console/links?q=a&b`);
      const cookie = String(answer.headers['set-cookie']);
      expect(cookie).toMatch(
        /^waypost_session=wp_console_[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
      );
      expect(await me(at)).toMatchObject({ id, email, role: 'EDITOR', hasPassword: true });
      const { body } = await at.send('get', '/api/v1/console/sessions');
      expect(body.content).toEqual([expect.objectContaining({ openedBy: 'OIDC', current: true })]);
      const log = `/api/v1/console/organizations/${own.organizationId}/audit-log?action=user.link_identity`;
      const { content } = (await consoleApi(app).get(log)).body as { content: object[] };
      expect(content).toEqual([
        expect.objectContaining({
          resourceId: String(id),
          changes: { issuer: { from: null, to: provider.issuer } },
        }),
      ]);
    });

    it('by issuer and subject from then on, whatever becomes of the address', async () => {
      const email = newAddress();
      const { id } = await createUser(app, own.organizationId, email);
      const subject = person({ email });
      expect(outcomeOf(await signIn(subject))).toBe('/console');
      for (const account of [{ email: newAddress() }, { email, email_verified: false }, {}]) {
        provider.accounts.set(subject, account);
        const at = browser();
        expect(outcomeOf(await signIn(subject, '', at))).toBe('/console');
        expect(await me(at)).toMatchObject({ id, email });
      }
    });

    it('over any process', async () => {
      const email = newAddress();
      const { id } = await createUser(app, own.organizationId, email);
      const at = browser();
      const callback = await provider.visit(await beginOidc(at), person({ email }));
      const cookies = { Cookie: `waypost_oidc=${at.cookie('waypost_oidc')}` };
      const there = browser(second);
      expect(outcomeOf(await there.send('get', callback, undefined, cookies))).toBe('/console');
      expect((await me(there)).id).toBe(id);
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
        const at = browser();
        expect(outcomeOf(await signIn(person(account), '', at))).toBe('EMAIL_NOT_VERIFIED');
        expect((await at.send('get', ME)).status).toBe(401);
      }
    });

    it('nor by an address that a user has set without an ADMIN', async () => {
      const email = newAddress();
      const { username, password } = await createUser(app, own.organizationId, newAddress());
      const { body } = await consoleApi(app).post('/api/v1/console/login').send({ username, password });
      const user = consoleApi(app, (body as { token: string }).token);
      await user.patch(ME).send({ email, currentPassword: password }).expect(200);
      expect(outcomeOf(await signIn(person({ email })))).toBe('NOT_INVITED');
    });

    it('nor one who has another identity already', async () => {
      const email = newAddress();
      await createUser(app, own.organizationId, email);
      const first = person({ email });
      expect(outcomeOf(await signIn(first))).toBe('/console');
      expect(outcomeOf(await signIn(person({ email })))).toBe('USER_LINKED');
      expect(outcomeOf(await signIn(first))).toBe('/console');
    });

    it('nor one who has been deleted, or whose organization has', async () => {
      const email = newAddress();
      const { id } = await createUser(app, own.organizationId, email);
      const subject = person({ email });
      expect(outcomeOf(await signIn(subject))).toBe('/console');
      const organization = `/api/v1/console/organizations/${own.organizationId}`;
      await consoleApi(app).delete(`${organization}/users/${id}`).expect(204);
      expect(outcomeOf(await signIn(subject))).toBe('NOT_INVITED');
      await createUser(app, own.organizationId, email);
      expect(outcomeOf(await signIn(subject))).toBe('/console');
      await consoleApi(app).delete(organization).expect(204);
      expect(outcomeOf(await signIn(subject))).toBe('NOT_INVITED');
      expect(outcomeOf(await signIn(person({ email })))).toBe('NOT_INVITED');
    });

    it('and refuses strangers', async () => {
      const at = browser();
      expect(outcomeOf(await signIn(person({ email: newAddress() }), '', at))).toBe('NOT_INVITED');
      expect(at.cookie('waypost_session')).toBeUndefined();
    });
  });

  describe('accepts an invitation', () => {
    it('by its link, with its role and permissions', async () => {
      const invitation = await invite(app, own.organizationId, { role: 'EDITOR', permissions: ['mau.view'] });
      const email = newAddress();
      const at = browser();
      const subject = person({ email, name: ' Lee\u0000 Ji-soo ' });
      expect(outcomeOf(await signIn(subject, linkTo(invitation), at))).toBe('/console');
      expect(await me(at)).toMatchObject({
        username: email,
        name: 'Lee Ji-soo',
        email,
        emailConfirmed: true,
        hasPassword: false,
        role: 'EDITOR',
        permissions: ['mau.view'],
        organizationId: own.organizationId,
      });
      expect(await beginOidc(browser(), linkTo(invitation))).toContain('error=INVITATION_NOT_FOUND');
      expect(outcomeOf(await signIn(subject))).toBe('/console');
    });

    it('without an address, for people whose address is not verified', async () => {
      const invitation = await invite(app, own.organizationId);
      const at = browser();
      const subject = person({ email: newAddress(), email_verified: false });
      expect(outcomeOf(await signIn(subject, linkTo(invitation), at))).toBe('/console');
      expect(await me(at)).toMatchObject({ username: expect.stringMatching(/^user-\w{8}$/), email: null });
    });

    it('by its address, without the link', async () => {
      const email = newAddress();
      await invite(app, own.organizationId, { email });
      await invite(app, own.organizationId, { email, role: 'ADMIN' });
      const at = browser();
      expect(outcomeOf(await signIn(person({ email }), '', at))).toBe('/console');
      expect(await me(at)).toMatchObject({ email, role: 'ADMIN', organizationId: own.organizationId });
    });

    it('by its link, if several organizations have invited the address', async () => {
      const email = newAddress();
      const other = await createOrganization(app);
      const [, theirs = ''] = [
        await invite(app, own.organizationId, { email }),
        await invite(app, other.organizationId, { email }),
      ];
      const subject = person({ email });
      expect(outcomeOf(await signIn(subject))).toBe('SEVERAL_INVITATIONS');
      const at = browser();
      expect(outcomeOf(await signIn(subject, linkTo(theirs), at))).toBe('/console');
      expect((await me(at)).organizationId).toBe(other.organizationId);
    });

    it('of one’s own address only', async () => {
      const invitation = await invite(app, own.organizationId, { email: newAddress() });
      const someone = person({ email: newAddress() });
      expect(outcomeOf(await signIn(someone, linkTo(invitation)))).toBe('INVITATION_EMAIL_MISMATCH');
      const unverified = person({ email: newAddress(), email_verified: false });
      expect(outcomeOf(await signIn(unverified, linkTo(invitation)))).toBe('EMAIL_NOT_VERIFIED');
    });

    it('of one’s own organization only, if one is a user', async () => {
      const email = newAddress();
      await createUser(app, own.organizationId, email);
      const subject = person({ email });
      const theirs = await invite(app, (await createOrganization(app)).organizationId);
      const ours = await invite(app, own.organizationId);
      for (let linked = 0; linked < 2; linked++) {
        expect(outcomeOf(await signIn(subject, linkTo(theirs)))).toBe('IDENTITY_TAKEN');
        expect(outcomeOf(await signIn(subject, linkTo(ours)))).toBe('/console');
      }
      for (const invitation of [ours, theirs])
        await browser().send('get', `/api/v1/console/invitations/${invitation}`);
    });

    it('that is still open when the person comes back', async () => {
      const invitation = await invite(app, own.organizationId);
      const at = browser();
      const callback = await provider.visit(
        await beginOidc(at, linkTo(invitation)),
        person({ email: newAddress() }),
      );
      await app.sql('DELETE FROM invitations WHERE organization_id = $1', [own.organizationId]);
      expect(outcomeOf(await at.send('get', callback))).toBe('INVITATION_NOT_FOUND');
    });

    it('once, for one of several who come at once', async () => {
      const invitation = await invite(app, own.organizationId);
      const begun = await Promise.all(
        Array.from({ length: 6 }, async (_, i) => {
          const at = browser(i % 2 ? app : second);
          return { at, url: await beginOidc(at, linkTo(invitation)) };
        }),
      );
      const callbacks: string[] = [];
      for (const { url } of begun) callbacks.push(await provider.visit(url, person({ email: newAddress() })));
      const answers = await Promise.all(begun.map(({ at }, i) => at.send('get', callbacks[i] ?? '')));
      expect(answers.map(outcomeOf).sort()).toEqual([
        '/console',
        ...Array<string>(5).fill('INVITATION_NOT_FOUND'),
      ]);
    });

    it('for one person who comes twice at once, in both tabs', async () => {
      const email = newAddress();
      await invite(app, own.organizationId, { email });
      const subject = person({ email });
      const at = browser();
      const callbacks: string[] = [];
      for (let tab = 0; tab < 2; tab++) callbacks.push(await provider.visit(await beginOidc(at), subject));
      const answers = await Promise.all(callbacks.map((callback) => at.send('get', callback)));
      expect(answers.map(outcomeOf)).toEqual(['/console', '/console']);
    });

    it('from its own page, not from another site', async () => {
      const invitation = await invite(app, own.organizationId);
      const ask = (site: string) =>
        browser().send('get', `${OIDC_START}${linkTo(invitation)}`, undefined, { 'Sec-Fetch-Site': site });
      for (const site of ['cross-site', 'same-site']) {
        expect(outcomeOf(await ask(site))).toBe(`/console/invitations/${invitation}`);
      }
      for (const site of ['same-origin', 'none']) {
        expect((await ask(site)).headers.location).toContain(provider.issuer);
      }
    });

    it('unless somebody guesses its link', async () => {
      const guesses = Array.from({ length: 50 }, () =>
        beginOidc(browser(), '?invitation=wp_invitation_guess'),
      );
      expect(new Set((await Promise.all(guesses)).map((url) => url.split('=')[1]))).toEqual(
        new Set(['INVITATION_NOT_FOUND']),
      );
      expect(await beginOidc(browser(), '?invitation=wp_invitation_guess')).toContain('error=RATE_LIMITED');
    });
  });

  describe('holds a sign-in', () => {
    const user = async () => {
      const email = newAddress();
      await createUser(app, own.organizationId, email);
      return person({ email });
    };

    it('that is good once', async () => {
      const at = browser();
      const callback = await provider.visit(await beginOidc(at), await user());
      expect(outcomeOf(await at.send('get', callback))).toBe('/console');
      expect(outcomeOf(await at.send('get', callback))).toBe('OIDC_STATE_INVALID');
    });

    it('once for many at a time', async () => {
      const at = browser();
      const callback = await provider.visit(await beginOidc(at), await user());
      const answers = await Promise.all(Array.from({ length: 6 }, () => at.send('get', callback)));
      expect(answers.map(outcomeOf).sort()).toEqual([
        '/console',
        ...Array<string>(5).fill('OIDC_STATE_INVALID'),
      ]);
    });

    it('whose state is known', async () => {
      const at = browser();
      const callback = await provider.visit(await beginOidc(at), await user());
      for (const bad of [
        callback.replace(/state=[^&]*/, 'state=guess'),
        callback.replace(/&?state=[^&]*/, ''),
        CALLBACK,
      ]) {
        expect(outcomeOf(await at.send('get', bad))).toBe('OIDC_STATE_INVALID');
      }
      expect(outcomeOf(await at.send('get', callback))).toBe('/console');
    });

    it('for the browser that began it', async () => {
      const [attacker, victim] = [browser(), browser()];
      const callback = await provider.visit(await beginOidc(attacker), await user());
      expect(outcomeOf(await victim.send('get', callback))).toBe('OIDC_STATE_INVALID');
      await beginOidc(victim);
      expect(outcomeOf(await victim.send('get', callback))).toBe('OIDC_STATE_INVALID');
      expect(victim.cookie('waypost_session')).toBeUndefined();
    });

    it('for ten minutes, and forgets it then', async () => {
      const at = browser();
      const callback = await provider.visit(await beginOidc(at), await user());
      for (const each of [app, second]) each.clock.advance(10 * 60_000);
      expect(outcomeOf(await at.send('get', callback))).toBe('OIDC_STATE_INVALID');
      await beginOidc(at);
      expect((await app.sql('SELECT FROM oidc_sign_ins')).length).toBe(1);
    });

    it('and a code that is good once', async () => {
      const at = browser();
      const subject = await user();
      const used = await provider.visit(await beginOidc(at), subject);
      expect(outcomeOf(await at.send('get', used))).toBe('/console');
      const fresh = new URL(await beginOidc(at)).searchParams.get('state') ?? '';
      const replayed = used.replace(/state=[^&]*/, `state=${fresh}`);
      expect(outcomeOf(await at.send('get', replayed))).toBe('OIDC_REFUSED');
    });

    it('that the person refuses', async () => {
      const at = browser();
      const callback = await provider.visit(await beginOidc(at), undefined);
      expect(callback).toContain('error=access_denied');
      expect(outcomeOf(await at.send('get', callback))).toBe('OIDC_REFUSED');
    });

    it('with a cookie that no script reads', async () => {
      const { headers } = await browser().send('get', OIDC_START);
      expect(String(headers['set-cookie'])).toMatch(
        /^waypost_oidc=[\w-]{43}; Max-Age=600; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
      );
    });

    it('for 120 starts of a network in a minute', async () => {
      app.clock.set('2026-11-20T08:32:00Z');
      const starts = await Promise.all(Array.from({ length: 120 }, () => beginOidc(browser())));
      expect(starts.filter((url) => url.startsWith(provider.issuer))).toHaveLength(120);
      expect(await beginOidc(browser())).toBe(`${ORIGIN}/console/sign-in?error=RATE_LIMITED`);
      app.clock.advance(60_000);
      expect(await beginOidc(browser())).toContain(provider.issuer);
    });

    it.each([
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '\\evil.example',
      'console',
      '/console\n',
      '/a b',
      'javascript:alert(1)',
      '',
    ])('which does not lead to %j', async (returnTo) => {
      const { status, body } = await browser().send(
        'get',
        `${OIDC_START}?returnTo=${encodeURIComponent(returnTo)}`,
      );
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'returnTo' }] });
    });
  });

  describe('opens a session', () => {
    it('whose cookie changes nothing from another origin', async () => {
      const email = newAddress();
      await createUser(app, own.organizationId, email);
      const at = browser();
      await signIn(person({ email }), '', at);
      const cookie = `waypost_session=${at.cookie('waypost_session')}`;
      for (const origin of [undefined, 'https://evil.example', provider.issuer]) {
        const headers = { Host: API_HOST, Cookie: cookie, ...(origin && { Origin: origin }) };
        const { body } = await request(app.url).patch(ME).set(headers).send({ name: 'Forged' }).expect(403);
        expect((body as { code: string }).code).toBe('ORIGIN_NOT_ALLOWED');
      }
      expect((await me(at)).name).toBeNull();
    });

    it('that ends here, and at the provider by another address', async () => {
      const email = newAddress();
      const { username, password } = await createUser(app, own.organizationId, email);
      const at = browser();
      await signIn(person({ email }), '', at);
      const { status, body } = await at.send('post', '/api/v1/console/logout');
      expect(status).toBe(200);
      const url = new URL((body as { signOutUrl: string }).signOutUrl);
      expect(url.origin).toBe(provider.issuer);
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
      const at = browser();
      await signIn(person({ email }), '', at);
      for (const password of ['', 'null', 'correct horse battery staple']) {
        const answer = await at.send('post', '/api/v1/console/login', { username: email, password });
        expect(answer.status).toBe(password === '' ? 400 : 401);
      }
      const renamed = await at.send('patch', ME, { password: 'a password of their own' });
      expect(renamed.body).toMatchObject({ hasPassword: true });
    });

    it('for 12 hours', async () => {
      const email = newAddress();
      await createUser(app, own.organizationId, email);
      const at = browser();
      await signIn(person({ email }), '', at);
      app.clock.advance(12 * HOUR - 1000);
      expect((await at.send('get', ME)).status).toBe(200);
      app.clock.advance(2000);
      expect((await at.send('get', ME)).status).toBe(401);
    });
  });
});

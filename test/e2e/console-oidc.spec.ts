import { consoleApi, createOrganization, signIn } from '../support/factories';
import {
  createUser,
  invite,
  newAddress,
  OIDC_START,
  outcomeOf,
  useIdentityProvider,
  whoIs,
  beginOidc,
} from '../support/oidc-sign-in';
import { API_HOST, perTest, useTestApp } from '../support/test-app';
import { CALLBACK } from '../support/identity-provider';

const ORIGIN = `http://${API_HOST}`;
const ME = '/api/v1/console/me';

const oidc = useIdentityProvider({ OIDC_LABEL: 'Acme SSO' });
const { app } = oidc;
const second = useTestApp(() => ({ database: app.database, env: oidc.provider().env }));
beforeEach(() => second.clock.run());
const own = perTest(() => createOrganization(app));

describe('console: signing in with an identity provider', () => {
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
      const log = `${own.consolePath}/audit-log?action=user.link_identity`;
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
      const users = `${own.consolePath}/users`;
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
      const log = `${own.consolePath}/audit-log?action=user.unlink_identity`;
      expect((await consoleApi(app).get(log)).body.totalElements).toBe(1);
      expect(outcomeOf(await oidc.signIn(current))).toBe('/console');
      expect(outcomeOf(await oidc.signIn(old))).toBe('USER_LINKED');
      const other = await createOrganization(app);
      const theirs = `${other.consolePath}/users/${id}/identities`;
      await consoleApi(app).delete(theirs).expect(404);
    });

    it('nor one who has been deleted, or whose organization has', async () => {
      const email = newAddress();
      const { id } = await createUser(app, own.organizationId, email);
      const subject = oidc.person({ email });
      expect(outcomeOf(await oidc.signIn(subject))).toBe('/console');
      const organization = own.consolePath;
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

describe('console: sign-ins with an identity provider that have begun', () => {
  const user = async () => {
    const email = newAddress();
    await createUser(app, own.organizationId, email);
    return oidc.person({ email });
  };

  it('that is good once', async () => {
    const at = oidc.browser();
    const callback = await oidc.callback(at, await user());
    expect(outcomeOf(await at.send('get', callback))).toBe('/console');
    expect(outcomeOf(await at.send('get', callback))).toBe('OIDC_STATE_INVALID');
  });

  it('once for many at a time', async () => {
    const at = oidc.browser();
    const callback = await oidc.callback(at, await user());
    const answers = await Promise.all(Array.from({ length: 6 }, () => at.send('get', callback)));
    expect(answers.map(outcomeOf).sort()).toEqual([
      '/console',
      ...Array<string>(5).fill('OIDC_STATE_INVALID'),
    ]);
  });

  it('whose state is known', async () => {
    const at = oidc.browser();
    const callback = await oidc.callback(at, await user());
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
    const [attacker, victim] = [oidc.browser(), oidc.browser()];
    const callback = await oidc.callback(attacker, await user());
    expect(outcomeOf(await victim.send('get', callback))).toBe('OIDC_STATE_INVALID');
    await beginOidc(victim);
    expect(outcomeOf(await victim.send('get', callback))).toBe('OIDC_STATE_INVALID');
    expect(victim.cookie('waypost_session')).toBeUndefined();
  });

  it('for ten minutes', async () => {
    const at = oidc.browser();
    const callback = await oidc.callback(at, await user());
    app.clock.advance(10 * 60_000);
    expect(outcomeOf(await at.send('get', callback))).toBe('OIDC_STATE_INVALID');
  });

  it('and a code that is good once', async () => {
    const at = oidc.browser();
    const subject = await user();
    const used = await oidc.callback(at, subject);
    expect(outcomeOf(await at.send('get', used))).toBe('/console');
    const fresh = new URL(await beginOidc(at)).searchParams.get('state') ?? '';
    const replayed = used.replace(/state=[^&]*/, `state=${fresh}`);
    expect(outcomeOf(await at.send('get', replayed))).toBe('OIDC_REFUSED');
  });

  it('that the person refuses', async () => {
    const at = oidc.browser();
    const callback = await oidc.callback(at, undefined);
    expect(callback).toContain('error=access_denied');
    expect(outcomeOf(await at.send('get', callback))).toBe('OIDC_REFUSED');
  });

  it('with a cookie that no script reads', async () => {
    const { headers } = await oidc.browser().send('get', OIDC_START);
    expect(String(headers['set-cookie'])).toMatch(
      /^waypost_oidc=[\w-]{43}; Max-Age=600; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
  });

  it('for 120 starts of a network in a minute', async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    const embedded = {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'no-cors',
      'Sec-Fetch-Dest': 'image',
    };
    for (let i = 0; i < 121; i++) {
      const { headers } = await oidc.browser().send('get', OIDC_START, undefined, embedded);
      expect(headers.location).toBe(`${ORIGIN}/console/sign-in`);
      expect(headers['set-cookie']).toBeUndefined();
    }
    const starts = await Promise.all(Array.from({ length: 120 }, () => beginOidc(oidc.browser())));
    expect(starts.filter((url) => url.startsWith(oidc.provider().issuer))).toHaveLength(120);
    expect(await beginOidc(oidc.browser())).toBe(`${ORIGIN}/console/sign-in?error=RATE_LIMITED`);
    app.clock.advance(60_000);
    expect(await beginOidc(oidc.browser())).toContain(oidc.provider().issuer);
  });

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', '/console\n', 'javascript:alert(1)'])(
    'which does not lead to %j',
    async (returnTo) => {
      const { status, body } = await oidc
        .browser()
        .send('get', `${OIDC_START}?returnTo=${encodeURIComponent(returnTo)}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'returnTo' }] });
    },
  );
});

const linkTo = (invitation: string) => `?invitation=${invitation}`;

describe('console: invitations accepted through an identity provider', () => {
  it('by its link, with its role and permissions', async () => {
    const invitation = await invite(app, own.organizationId, { role: 'EDITOR', permissions: ['mau.view'] });
    const email = newAddress();
    const at = oidc.browser();
    const subject = oidc.person({ email, name: ' Lee\u0000 Ji-soo ' });
    expect(outcomeOf(await oidc.signIn(subject, linkTo(invitation), at))).toBe('/console');
    expect(await whoIs(at)).toMatchObject({
      username: email,
      name: 'Lee Ji-soo',
      email,
      emailConfirmed: true,
      hasPassword: false,
      role: 'EDITOR',
      permissions: ['mau.view'],
      organizationId: own.organizationId,
    });
    expect(await beginOidc(oidc.browser(), linkTo(invitation))).toContain('error=INVITATION_NOT_FOUND');
    expect(outcomeOf(await oidc.signIn(subject))).toBe('/console');
  });

  it('without an address, for people whose address is not verified', async () => {
    const invitation = await invite(app, own.organizationId);
    const at = oidc.browser();
    const subject = oidc.person({ email: newAddress(), email_verified: false });
    expect(outcomeOf(await oidc.signIn(subject, linkTo(invitation), at))).toBe('/console');
    expect(await whoIs(at)).toMatchObject({ username: expect.stringMatching(/^user-\w{8}$/), email: null });
  });

  it('by its address, without the link', async () => {
    const email = newAddress();
    await invite(app, own.organizationId, { email });
    await invite(app, own.organizationId, { email, role: 'ADMIN' });
    const at = oidc.browser();
    expect(outcomeOf(await oidc.signIn(oidc.person({ email }), '', at))).toBe('/console');
    expect(await whoIs(at)).toMatchObject({ email, role: 'ADMIN', organizationId: own.organizationId });
  });

  it('by its link, if several organizations have invited the address', async () => {
    const email = newAddress();
    const other = await createOrganization(app);
    const [, theirs] = [
      await invite(app, own.organizationId, { email }),
      await invite(app, other.organizationId, { email }),
    ];
    const subject = oidc.person({ email });
    expect(outcomeOf(await oidc.signIn(subject))).toBe('SEVERAL_INVITATIONS');
    const at = oidc.browser();
    expect(outcomeOf(await oidc.signIn(subject, linkTo(theirs), at))).toBe('/console');
    expect((await whoIs(at)).organizationId).toBe(other.organizationId);
  });

  it('of one’s own address only', async () => {
    const invitation = await invite(app, own.organizationId, { email: newAddress() });
    const someone = oidc.person({ email: newAddress() });
    expect(outcomeOf(await oidc.signIn(someone, linkTo(invitation)))).toBe('INVITATION_EMAIL_MISMATCH');
    const unverified = oidc.person({ email: newAddress(), email_verified: false });
    expect(outcomeOf(await oidc.signIn(unverified, linkTo(invitation)))).toBe('EMAIL_NOT_VERIFIED');
  });

  it('of one’s own organization only, if one is a user', async () => {
    const email = newAddress();
    await createUser(app, own.organizationId, email);
    const subject = oidc.person({ email });
    const theirs = await invite(app, (await createOrganization(app)).organizationId);
    const ours = await invite(app, own.organizationId);
    for (let linked = 0; linked < 2; linked++) {
      expect(outcomeOf(await oidc.signIn(subject, linkTo(theirs)))).toBe('IDENTITY_TAKEN');
      expect(outcomeOf(await oidc.signIn(subject, linkTo(ours)))).toBe('/console');
    }
    for (const unused of [ours, theirs]) {
      expect((await oidc.browser().send('get', `/api/v1/console/invitations/${unused}`)).status).toBe(200);
    }
  });

  it('that is still open when the person comes back', async () => {
    const invitation = await invite(app, own.organizationId);
    const at = oidc.browser();
    const callback = await oidc.callback(at, oidc.person({ email: newAddress() }), linkTo(invitation));
    await app.sql('DELETE FROM invitations WHERE organization_id = $1', [own.organizationId]);
    expect(outcomeOf(await at.send('get', callback))).toBe('INVITATION_NOT_FOUND');
  });

  it('once, for one of several who come at once', async () => {
    const invitation = await invite(app, own.organizationId);
    const begun = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        const at = oidc.browser(i % 2 ? app : second);
        return { at, url: await beginOidc(at, linkTo(invitation)) };
      }),
    );
    const callbacks: string[] = [];
    for (const { url } of begun)
      callbacks.push(await oidc.provider().visit(url, oidc.person({ email: newAddress() })));
    const answers = await Promise.all(begun.map(({ at }, i) => at.send('get', callbacks[i] ?? '')));
    expect(answers.map(outcomeOf).sort()).toEqual([
      '/console',
      ...Array<string>(5).fill('INVITATION_NOT_FOUND'),
    ]);
  });

  it('for one person who comes twice at once, in both tabs', async () => {
    const email = newAddress();
    await invite(app, own.organizationId, { email });
    const subject = oidc.person({ email });
    const at = oidc.browser();
    const callbacks: string[] = [];
    for (let tab = 0; tab < 2; tab++) callbacks.push(await oidc.callback(at, subject));
    const answers = await Promise.all(callbacks.map((callback) => at.send('get', callback)));
    expect(answers.map(outcomeOf)).toEqual(['/console', '/console']);
  });

  it('from its own page, not from another site', async () => {
    const invitation = await invite(app, own.organizationId);
    const ask = (site: string) =>
      oidc.browser().send('get', `${OIDC_START}${linkTo(invitation)}`, undefined, { 'Sec-Fetch-Site': site });
    for (const site of ['cross-site', 'same-site']) {
      expect(outcomeOf(await ask(site))).toBe(`/console/invitations/${invitation}`);
    }
    for (const site of ['same-origin', 'none']) {
      expect((await ask(site)).headers.location).toContain(oidc.provider().issuer);
    }
  });

  it('unless somebody guesses its link', async () => {
    const guesses = Array.from({ length: 50 }, () =>
      beginOidc(oidc.browser(), '?invitation=wp_invitation_guess'),
    );
    expect(new Set((await Promise.all(guesses)).map((url) => url.split('=')[1]))).toEqual(
      new Set(['INVITATION_NOT_FOUND']),
    );
    expect(await beginOidc(oidc.browser(), '?invitation=wp_invitation_guess')).toContain(
      'error=RATE_LIMITED',
    );
  });
});

import { BrowserSession } from '../support/browser-session';
import { consoleApi, createOrganization, signIn } from '../support/factories';
import { CALLBACK, TestIdentityProvider } from '../support/identity-provider';
import {
  beginOidc,
  createUser,
  invite,
  newAddress,
  OIDC_START,
  outcomeOf,
  useIdentityProvider,
  whoIs,
} from '../support/oidc-sign-in';
import { API_HOST, TestApp, useTestApp } from '../support/test-app';

const ORIGIN = `http://${API_HOST}`;

describe('console: settings of the identity provider', () => {
  describe('that let strangers in', () => {
    const oidc = useIdentityProvider({ OIDC_DEFAULT_ROLE: 'EDITOR', OIDC_DEFAULT_ORGANIZATION: '1' });

    it('refuse them while there is no such organization', async () => {
      expect(outcomeOf(await oidc.signIn(oidc.person({ email: newAddress() })))).toBe('NOT_INVITED');
    });

    it('make the first one ADMIN, even of several at once, and give the role to all others', async () => {
      await consoleApi(oidc.app).post('/api/v1/console/organizations', { name: 'Acme' }).expect(201);
      const come = async () => {
        const browser = oidc.browser();
        const callback = await oidc.callback(browser, oidc.person({ email: newAddress() }));
        return { browser, callback };
      };
      const people: Awaited<ReturnType<typeof come>>[] = [];
      for (let i = 0; i < 8; i++) people.push(await come());
      const answers = await Promise.all(people.map(({ browser, callback }) => browser.send('get', callback)));
      expect(answers.map(outcomeOf)).toEqual(Array(8).fill('/console'));
      const users = await Promise.all(people.map(({ browser }) => whoIs(browser)));
      expect(users.map(({ role }) => role).sort()).toEqual(['ADMIN', ...Array<string>(7).fill('EDITOR')]);
      expect(users).toEqual(
        Array(8).fill(
          expect.objectContaining({
            organizationId: 1,
            permissions: [],
            emailConfirmed: true,
            hasPassword: false,
          }),
        ),
      );
      const log = await consoleApi(oidc.app).get(
        '/api/v1/console/organizations/1/audit-log?action=user.create',
      );
      expect(log.body.totalElements).toBe(8);
    });

    it('give them another user name if somebody has theirs', async () => {
      const email = newAddress();
      const other = await createOrganization(oidc.app);
      await consoleApi(oidc.app)
        .post(`${other.consolePath}/users`, {
          username: email,
          password: 'correct horse battery staple',
        })
        .expect(201);
      const browser = oidc.browser();
      expect(outcomeOf(await oidc.signIn(oidc.person({ email }), '', browser))).toBe('/console');
      expect((await whoIs(browser)).username).toMatch(new RegExp(`^${email}-\\w{8}$`));
    });

    it('but not without a verified address', async () => {
      const subject = oidc.person({ email: newAddress(), email_verified: false });
      expect(outcomeOf(await oidc.signIn(subject))).toBe('EMAIL_NOT_VERIFIED');
    });

    it('nor with an address that somebody else has set', async () => {
      const email = newAddress();
      const user = await createUser(oidc.app, 1, newAddress());
      const by = await signIn(oidc.app, user);
      await by.patch('/api/v1/console/me', { email, currentPassword: user.password }).expect(200);
      expect(outcomeOf(await oidc.signIn(oidc.person({ email })))).toBe('EMAIL_TAKEN');
    });

    it('after invitations, which come first', async () => {
      const other = await createOrganization(oidc.app);
      const email = newAddress();
      await invite(oidc.app, other.organizationId, { email, role: 'VIEWER' });
      const browser = oidc.browser();
      await oidc.signIn(oidc.person({ email }), '', browser);
      expect(await whoIs(browser)).toMatchObject({ organizationId: other.organizationId, role: 'VIEWER' });
    });
  });

  describe('that switch passwords off', () => {
    const oidc = useIdentityProvider({ PASSWORD_LOGIN: 'false' });

    it('refuse them everywhere', async () => {
      const { username, password, organizationId } = await createOrganization(oidc.app);
      const invitation = await invite(oidc.app, organizationId);
      const browser = oidc.browser();
      const attempts: [string, object][] = [
        ['/api/v1/console/login', { username, password }],
        ['/api/v1/console/sessions', { username, password }],
        [`/api/v1/console/invitations/${invitation}/accept`, { username: 'somebody', password }],
      ];
      for (const [path, body] of attempts) {
        const answer = await browser.send('post', path, body);
        expect([answer.status, (answer.body as { code: string }).code]).toEqual([
          403,
          'PASSWORD_LOGIN_DISABLED',
        ]);
      }
      expect(browser.cookie('waypost_session')).toBeUndefined();
    });

    it('leave the platform token and the identity provider', async () => {
      await consoleApi(oidc.app).get('/api/v1/console/organizations').expect(200);
      const { body } = await oidc.browser().send('get', '/api/v1/console/sign-in-options');
      expect(body).toEqual({
        passwordLogin: false,
        oidc: { label: 'localhost', url: `${ORIGIN}${OIDC_START}` },
      });
      const { organizationId } = await createOrganization(oidc.app);
      const invitation = await invite(oidc.app, organizationId);
      const subject = oidc.person({ email: newAddress() });
      expect(outcomeOf(await oidc.signIn(subject, `?invitation=${invitation}`))).toBe('/console');
    });
  });

  describe('that are not there', () => {
    const app = useTestApp();

    it('leave passwords only', async () => {
      const browser = new BrowserSession(app);
      const { body } = await browser.send('get', '/api/v1/console/sign-in-options');
      expect(body).toEqual({ passwordLogin: true, oidc: null });
      expect(await beginOidc(browser)).toBe(`${ORIGIN}/console/sign-in?error=OIDC_NOT_CONFIGURED`);
      expect(outcomeOf(await browser.send('get', `${CALLBACK}?code=a&state=b`))).toBe('OIDC_STATE_INVALID');
    });
  });

  it('hold a provider that is away while the service starts and works', async () => {
    const provider = await TestIdentityProvider.start();
    await provider.stop();
    const app = await TestApp.start({ env: provider.env });
    const { organizationId } = await createOrganization(app);
    const email = newAddress();
    await createUser(app, organizationId, email);
    provider.accounts.set('subject', { email, email_verified: true });
    const browser = new BrowserSession(app);
    const away = `${ORIGIN}/console/sign-in?error=OIDC_PROVIDER_UNAVAILABLE`;
    expect(await beginOidc(browser)).toBe(away);
    expect(await beginOidc(browser)).toBe(away);

    await provider.resume();
    const callback = await provider.visit(await beginOidc(browser), 'subject');
    await provider.stop();
    expect(outcomeOf(await browser.send('get', callback))).toBe('OIDC_PROVIDER_UNAVAILABLE');
    // Its metadata is known, so the browser meets the outage.
    expect(await beginOidc(browser)).toContain(provider.issuer);
    app.clock.advance(3_600_000);
    expect(await beginOidc(browser)).toBe(away);

    await provider.resume();
    app.clock.run();
    const again = await provider.visit(await beginOidc(browser), 'subject');
    expect(outcomeOf(await browser.send('get', again))).toBe('/console');

    // openid-client has a limit of its own on each call, which the test shortens.
    const limits: number[] = [];
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      limits.push(ms);
      return timeout(50);
    });
    provider.hang();
    app.clock.advance(3_600_000);
    expect(await beginOidc(browser)).toBe(away);
    expect(limits).toEqual([10_000]);
    jest.restoreAllMocks();

    await provider.stop();
    const ended = await browser.send('post', '/api/v1/console/logout');
    expect([ended.status, ended.body]).toEqual([200, { signOutUrl: null }]);
    await app.close();
  });

  it('mark the cookie for this host alone with HTTPS', async () => {
    const provider = await TestIdentityProvider.start();
    const app = await TestApp.start({
      redis: false,
      env: { ...provider.env, BASE_URL: `https://${API_HOST}` },
    });
    const { headers } = await new BrowserSession(app, `https://${API_HOST}`).send('get', OIDC_START);
    expect(String(headers['set-cookie'])).toMatch(
      /^__Host-waypost_oidc=[\w-]{43}; Max-Age=600; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(new URL(headers.location ?? '').searchParams.get('redirect_uri')).toBe(
      `https://${API_HOST}${CALLBACK}`,
    );
    await app.close();
    await provider.stop();
  });
});

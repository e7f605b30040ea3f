import { createOrganization, type TestOrganization } from '../support/factories';
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
import { useTestApp } from '../support/test-app';

const linkTo = (invitation: string) => `?invitation=${invitation}`;

describe('console: invitations accepted through an identity provider', () => {
  const oidc = useIdentityProvider({ OIDC_LABEL: 'Acme SSO' });
  const { app } = oidc;
  const second = useTestApp(() => ({ database: app.database, env: oidc.provider().env }));
  let own: TestOrganization;
  beforeEach(async () => {
    second.clock.run();
    own = await createOrganization(app);
  });

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

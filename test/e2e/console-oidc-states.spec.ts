import { createOrganization, type TestOrganization } from '../support/factories';
import { CALLBACK } from '../support/identity-provider';
import {
  beginOidc,
  createUser,
  newAddress,
  OIDC_START,
  outcomeOf,
  useIdentityProvider,
} from '../support/oidc-sign-in';
import { API_HOST } from '../support/test-app';

const ORIGIN = `http://${API_HOST}`;

describe('console: sign-ins with an identity provider that have begun', () => {
  const oidc = useIdentityProvider({ OIDC_LABEL: 'Acme SSO' });
  const { app } = oidc;
  let own: TestOrganization;
  beforeEach(async () => {
    own = await createOrganization(app);
  });

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
    const { status, body } = await oidc
      .browser()
      .send('get', `${OIDC_START}?returnTo=${encodeURIComponent(returnTo)}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'returnTo' }] });
  });
});

import { randomUUID } from 'node:crypto';
import { BrowserSession } from '../support/browser-session';
import { createOrganization } from '../support/factories';
import { CALLBACK } from '../support/identity-provider';
import { type Claims, MisbehavingIssuer, type Signature } from '../support/misbehaving-issuer';
import { beginOidc, createUser, newAddress, outcomeOf } from '../support/oidc-sign-in';
import { perSuite, useTestApp } from '../support/test-app';

const seconds = (ms = 0) => Math.floor((Date.now() + ms) / 1000);

describe('console: tokens of an identity provider', () => {
  let issuer: MisbehavingIssuer;
  beforeAll(async () => {
    issuer = await MisbehavingIssuer.start();
  });
  afterAll(() => issuer.pages.close());
  const lines: string[] = [];
  const app = useTestApp(() => ({
    env: { ...issuer.env, LOG_LEVEL: 'warn' },
    logTo: { write: (line) => lines.push(line) },
  }));
  const own = perSuite(() => createOrganization(app));

  /** Signs a user in whose ID token differs from a correct one. */
  async function signIn(claims: Claims = {}, signature?: Signature): Promise<string> {
    const email = newAddress();
    await createUser(app, own.organizationId, email);
    const browser = new BrowserSession(app);
    const person = { sub: randomUUID(), email, email_verified: true };
    const query = issuer.answer(await beginOidc(browser), { ...person, ...claims }, signature);
    const outcome = outcomeOf(await browser.send('get', `${CALLBACK}${query}`));
    expect(browser.cookie('waypost_session') !== undefined).toBe(outcome === '/console');
    return outcome;
  }

  it('sign a user in when they are correct', async () => {
    expect(await signIn()).toBe('/console');
  });

  it.each<[string, Claims | (() => Claims)]>([
    ['another audience', { aud: 'another-client' }],
    ['several audiences without the party', { aud: ['another-client', 'third'] }],
    ['another authorized party', { aud: ['waypost', 'third'], azp: 'third' }],
    ['another nonce', { nonce: 'of another sign-in' }],
    ['no nonce', { nonce: undefined }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['no issuer', { iss: undefined }],
    ['no subject', { sub: undefined }],
    ['an endless subject', { sub: 's'.repeat(256) }],
    ['an unprintable subject', { sub: 'a\u0000b' }],
    ['no expiry', { exp: undefined }],
    ['an expiry 65 s ago', () => ({ exp: seconds(-65_000) })],
    ['a beginning 65 s from now', () => ({ nbf: seconds(65_000) })],
  ])('sign nobody in with %s', async (_, claims) => {
    expect(await signIn(typeof claims === 'function' ? claims() : claims)).toBe('OIDC_TOKEN_INVALID');
  });

  it.each<[string, () => Claims]>([
    ['an expiry 50 s ago', () => ({ exp: seconds(-50_000) })],
    ['a beginning 50 s from now', () => ({ nbf: seconds(50_000) })],
    ['an issue 50 s from now', () => ({ iat: seconds(50_000) })],
  ])('tolerate clocks that differ: %s', async (_, claims) => {
    expect(await signIn(claims())).toBe('/console');
  });

  it.each<Signature>(['foreign', 'none'])('sign nobody in with the signature: %s', async (signature) => {
    expect(await signIn({}, signature)).toBe('OIDC_TOKEN_INVALID');
  });

  it.each<[string, number, object, string]>([
    ['an error of the provider', 500, { error: 'server_error' }, 'OIDC_PROVIDER_UNAVAILABLE'],
    ['an outage', 502, {}, 'OIDC_PROVIDER_UNAVAILABLE'],
    ['a wrong secret', 401, { error: 'invalid_client' }, 'OIDC_REFUSED'],
    ['a used code', 400, { error: 'invalid_grant' }, 'OIDC_REFUSED'],
    ['no ID token', 200, { access_token: 'opaque', token_type: 'Bearer' }, 'OIDC_TOKEN_INVALID'],
  ])('are not there: %s', async (_, status, body, outcome) => {
    const browser = new BrowserSession(app);
    const query = issuer.answer(await beginOidc(browser), {});
    issuer.json('/token', body, status);
    expect(outcomeOf(await browser.send('get', `${CALLBACK}${query}`))).toBe(outcome);
  });

  it('are in no log, which says what was wrong with them', async () => {
    lines.length = 0;
    const email = 'private@shop.example.com';
    expect(await signIn({ aud: 'another-client', email })).toBe('OIDC_TOKEN_INVALID');
    const log = lines.join('');
    expect(log).toContain('\\"aud\\" (audience)');
    for (const secret of [email, 'eyJ', 'opaque']) expect(log).not.toContain(secret);
  });
});

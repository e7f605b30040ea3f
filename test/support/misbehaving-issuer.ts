import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { PagesServer } from './pages-server';

const SECOND = 1000;

/** Claims that replace those of a valid ID token; undefined omits one. */
export type Claims = Readonly<Record<string, unknown>>;

/** The key that signs an ID token. */
export type Signature = 'own' | 'foreign' | 'none';

/** An issuer that sends the ID token defined by a test, such as no real provider would. */
export class MisbehavingIssuer {
  private readonly own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private readonly foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });

  private constructor(readonly pages: PagesServer) {}

  static async start(): Promise<MisbehavingIssuer> {
    const issuer = new MisbehavingIssuer(await PagesServer.start());
    const { origin } = issuer.pages;
    issuer.json('/.well-known/openid-configuration', {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      jwks_uri: `${origin}/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
    });
    const key = issuer.own.publicKey.export({ format: 'jwk' });
    issuer.json('/jwks', { keys: [{ ...key, kid: 'test', use: 'sig', alg: 'RS256' }] });
    return issuer;
  }

  get env(): Record<string, string> {
    return { OIDC_ISSUER: this.pages.origin, OIDC_CLIENT_ID: 'waypost', OIDC_CLIENT_SECRET: 'secret' };
  }

  /** Sets the next ID token, for a browser that was sent to `url`. @returns the query of its callback */
  answer(url: string, claims: Claims, signature: Signature = 'own'): string {
    const asked = new URL(url).searchParams;
    const now = Math.floor(Date.now() / SECOND);
    const token = this.token(
      {
        iss: this.pages.origin,
        aud: 'waypost',
        sub: 'subject',
        iat: now,
        exp: now + 300,
        nonce: asked.get('nonce'),
        ...claims,
      },
      signature,
    );
    this.json('/token', { access_token: 'opaque', token_type: 'Bearer', id_token: token });
    return `?code=any&state=${asked.get('state')}`;
  }

  json(path: string, body: object, status = 200): void {
    this.pages.on(path, (_, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
  }

  private token(claims: Claims, signature: Signature): string {
    const alg = signature === 'none' ? 'none' : 'RS256';
    const text = [{ alg, kid: 'test', typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const keys: Record<Signature, KeyObject | null> = {
      own: this.own.privateKey,
      foreign: this.foreign.privateKey,
      none: null,
    };
    const key = keys[signature];
    return `${text}.${key ? sign('RSA-SHA256', Buffer.from(text), key).toString('base64url') : ''}`;
  }
}

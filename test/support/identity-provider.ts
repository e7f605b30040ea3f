import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Configuration, Provider } from 'oidc-provider';
import { freePort } from './servers';
import { API_HOST } from './test-app';

export const CALLBACK = '/api/v1/console/oidc/callback';
const CLIENT = { OIDC_CLIENT_ID: 'waypost', OIDC_CLIENT_SECRET: 'secret of the tests' };

/** Claims of a person at the provider. */
export interface Account {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

/** A real OpenID provider on this machine, at which people sign in without interaction. */
export class TestIdentityProvider {
  /** Accounts by subject. */
  readonly accounts = new Map<string, Account>();
  private server: Server | undefined;
  private person: string | undefined;
  private hangs = false;

  private constructor(
    readonly issuer: string,
    private readonly port: number,
    private readonly provider: Provider,
  ) {}

  static async start(): Promise<TestIdentityProvider> {
    const port = await freePort();
    const issuer = `http://localhost:${port}`;
    const provider: Provider = await create(issuer, {
      clients: [
        {
          client_id: CLIENT.OIDC_CLIENT_ID,
          client_secret: CLIENT.OIDC_CLIENT_SECRET,
          redirect_uris: [`http://${API_HOST}${CALLBACK}`],
          post_logout_redirect_uris: [`http://${API_HOST}/console/sign-in`],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      cookies: { keys: ['key of the tests'] },
      features: { devInteractions: { enabled: false } },
      findAccount: (_, subject) => {
        const account = identity.accounts.get(subject);
        return account && { accountId: subject, claims: () => ({ sub: subject, ...account }) };
      },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      jwks: { keys: [signingKey()] },
      loadExistingGrant: async (context) => {
        const { session, client } = context.oidc;
        const grant = new provider.Grant({ accountId: session?.accountId, clientId: client?.clientId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
      // The provider's defaults, set explicitly because it prints notices otherwise.
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      pkce: { required: () => true },
    });
    const identity = new TestIdentityProvider(issuer, port, provider);
    await identity.resume();
    return identity;
  }

  /** Settings of a service that trusts this provider. */
  get env(): Record<string, string> {
    return { OIDC_ISSUER: this.issuer, ...CLIENT };
  }

  /**
   * Follows the provider's redirects like a browser that the service has sent there.
   * @param subject the person at the browser; undefined: they decline
   * @returns path and query of the callback
   */
  async visit(url: string, subject: string | undefined): Promise<string> {
    this.person = subject;
    const cookies = new Map<string, string>();
    let at = new URL(url);
    for (let hops = 0; hops < 10; hops++) {
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const answer = await fetch(at, { redirect: 'manual', headers: { Cookie: cookie } });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const location = answer.headers.get('location');
      if (!location) throw new Error(`The provider answers ${answer.status}: ${await answer.text()}`);
      at = new URL(location, at);
      if (at.origin !== this.issuer) return at.pathname + at.search;
    }
    throw new Error('The provider redirects without end');
  }

  /** Stops responding until it is stopped. */
  hang(): void {
    this.hangs = true;
  }

  async stop(): Promise<void> {
    this.hangs = false;
    const { server } = this;
    this.server = undefined;
    server?.closeAllConnections();
    await new Promise((done) => (server ? server.close(done) : done(undefined)));
  }

  async resume(): Promise<void> {
    const answer = this.provider.callback();
    this.server = createServer((request, response) => {
      if (this.hangs) return;
      const isInteraction = request.url?.startsWith('/interaction/');
      void (isInteraction ? this.interact(request, response) : answer(request, response));
    });
    await new Promise<void>((done) => this.server?.listen(this.port, 'localhost', done));
  }

  private interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const result = this.person ? { login: { accountId: this.person } } : { error: 'access_denied' };
    return this.provider.interactionFinished(request, response, result);
  }
}

/** Imported on use, without its warnings for production use. */
async function create(issuer: string, configuration: Configuration): Promise<Provider> {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    const { Provider } = await import('oidc-provider');
    return new Provider(issuer, configuration);
  } finally {
    console.warn = warn;
  }
}

function signingKey(): JsonWebKey & { alg: string; use: string; kid: string } {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'test' };
}

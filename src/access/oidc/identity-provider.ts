import { Inject, Injectable } from '@nestjs/common';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { Logger } from 'pino';
import { withDeadline } from '../../common/deadline';
import { LOGGER } from '../../common/logging/logger';
import { Clock } from '../../common/time/clock';
import { Config } from '../../config/config';
import type { OidcSettings } from '../../config/oidc-settings';
import { SignInRefused } from './sign-in-refused';
import { reasonOf, toRefusal } from './provider-failure';
import { type Profile, toProfile } from './profile';

const CALL_SECONDS = 10;
/** Limit of a log-out, which does not wait for a provider that is down. */
const SIGN_OUT_LIMIT_MS = 3_000;
const CLOCK_TOLERANCE_SECONDS = 60;
/** How long provider metadata is cached; openid-client caches the provider's keys itself. */
const METADATA_MS = 3_600_000;

interface AuthorizationRequest {
  readonly url: URL;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** An account that the provider has authenticated. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Calls the UserInfo endpoint if the ID token has no address. @throws SignInRefused */
  profile(): Promise<Profile>;
}

/** The identity provider, contacted only when somebody signs in (docs/adr/0044-openid-connect.md). */
@Injectable()
export class IdentityProvider {
  private readonly settings: OidcSettings | null;
  private readonly redirectUri: string;
  private readonly signedOutUri: string;
  private metadata: { readonly until: number; readonly configuration: Promise<Configuration> } | null = null;

  constructor(
    { oidc, baseUrl }: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly clock: Clock,
  ) {
    this.settings = oidc;
    this.redirectUri = `${baseUrl}/api/v1/console/oidc/callback`;
    this.signedOutUri = `${baseUrl}/console/sign-in`;
  }

  /** @throws SignInRefused */
  authorizationRequest(): Promise<AuthorizationRequest> {
    return this.ask(async (configuration) => {
      const codeVerifier = randomPKCECodeVerifier();
      const [state, nonce] = [randomState(), randomNonce()];
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: this.redirectUri,
        scope: 'openid email profile',
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      return { url, state, nonce, codeVerifier };
    });
  }

  /**
   * Exchanges the callback's code for a validated ID token.
   * @param query of the callback
   * @throws SignInRefused
   */
  identify(
    query: URLSearchParams,
    { nonce, codeVerifier }: { readonly nonce: string; readonly codeVerifier: string },
  ): Promise<Identity> {
    return this.ask(async (configuration) => {
      const tokens = await authorizationCodeGrant(
        configuration,
        new URL(`${this.redirectUri}?${query.toString()}`),
        {
          expectedState: query.get('state') ?? '',
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        },
      );
      const claims = tokens.claims();
      if (!claims || !/^[ -~]{1,255}$/.test(claims.sub)) throw new SignInRefused('OIDC_TOKEN_INVALID');
      const { iss: issuer, sub: subject } = claims;
      const userInfo = () =>
        this.ask(async () => toProfile(await fetchUserInfo(configuration, tokens.access_token, subject)));
      const asks = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint;
      return { issuer, subject, profile: asks ? userInfo : async () => toProfile(claims) };
    });
  }

  /** The provider's page that ends a browser's session there; null if it has none or does not respond soon. */
  signOutUrl(): Promise<string | null> {
    const url = this.ask(async (configuration) => {
      if (!configuration.serverMetadata().end_session_endpoint) return null;
      return buildEndSessionUrl(configuration, { post_logout_redirect_uri: this.signedOutUri }).href;
    });
    return withDeadline(url, SIGN_OUT_LIMIT_MS).catch(() => null);
  }

  private async ask<T>(question: (configuration: Configuration) => Promise<T>): Promise<T> {
    if (!this.settings) throw new SignInRefused('OIDC_NOT_CONFIGURED');
    try {
      return await question(await this.discover(this.settings));
    } catch (error) {
      if (error instanceof SignInRefused) throw error;
      this.logger.warn({ reason: reasonOf(error) }, 'a call of the identity provider failed');
      throw toRefusal(error);
    }
  }

  /** A failure is not cached, so the next sign-in tries again. */
  private discover(settings: OidcSettings): Promise<Configuration> {
    const now = this.clock.now();
    if (this.metadata && this.metadata.until > now) return this.metadata.configuration;
    const configuration = discover(settings);
    const metadata = { until: now + METADATA_MS, configuration };
    this.metadata = metadata;
    configuration.catch(() => {
      if (this.metadata === metadata) this.metadata = null;
    });
    return configuration;
  }
}

function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const server = new URL(issuer);
  const client = { client_secret: clientSecret, [clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)];
  const authentication: ClientAuth = (metadata, ...call) => {
    // client_secret_basic is the default according to OpenID Connect Discovery.
    const supported = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = supported.includes('client_secret_basic') ? basic : post;
    authenticate(metadata, ...call);
  };
  // Plain HTTP occurs for loopback issuers only: the settings are validated.
  const insecure = server.protocol === 'http:' ? [allowInsecureRequests] : [];
  return discovery(server, clientId, client, authentication, {
    timeout: CALL_SECONDS,
    execute: [enableNonRepudiationChecks, ...insecure],
  });
}

import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import { Config } from '../../../config/config';
import { Database } from '../../../infrastructure/database/database';

const KEY_NAME = 'tokens';
const TIME_BYTES = 6;
/** 128 random bits (docs/concepts/deep-links.md#the-token). */
const RANDOM_BYTES = 16;
const ORGANIZATION_BYTES = 6;
const MAC_BYTES = 10;
const ORGANIZATION_AT = TIME_BYTES + RANDOM_BYTES;
const BODY_BYTES = ORGANIZATION_AT + ORGANIZATION_BYTES;
const TOKEN = /^[A-Za-z0-9_-]{51}$/;
const KEY = /^(\d{1,15})\.([A-Za-z0-9_-]{43})$/;

export const TOKEN_DAYS = 7;
const TOKEN_MS = TOKEN_DAYS * 86_400_000;

const WEB_SDK = '/api/v1/sdk/web';

/**
 * The key of a token in the database, with the organization. Only the hash is stored, so that a database dump reveals
 * no token.
 */
export interface TokenKey {
  issuedAt: number;
  /** SHA-256 of the token, Base64url. */
  hash: string;
}

export interface KnownToken extends TokenKey {
  organizationId: number;
}

/**
 * Tokens of pages that open an app. A token contains its issue time, its organization and a MAC, so that forged tokens
 * are rejected even before the click is counted and while Postgres is down.
 */
@Injectable()
export class AppPageTokens implements OnModuleInit {
  private key: Buffer | null = null;
  private readonly apiOrigin: string;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.apiOrigin = config.baseUrl;
  }

  async onModuleInit(): Promise<void> {
    await this.database.execute(
      `INSERT INTO deep_link_keys (name, key) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`,
      [KEY_NAME, randomBytes(32)],
    );
    const row = await this.database.single<{ key: Buffer }>(
      `SELECT key FROM deep_link_keys WHERE name = $1`,
      [KEY_NAME],
    );
    this.key = row.key;
  }

  /**
   * Issues a token for the page that a click gets.
   * @param issuedAt milliseconds since the epoch; for a further token of a click, the issue time of its first
   * @returns `token` for the page, and `key` to store with the click (`Visit.tokenKey`)
   */
  issue(organizationId: number, issuedAt = this.clock.now()): { token: string; key: string } {
    const body = Buffer.allocUnsafe(BODY_BYTES);
    body.writeUIntBE(issuedAt, 0, TIME_BYTES);
    randomBytes(RANDOM_BYTES).copy(body, TIME_BYTES);
    body.writeUIntBE(organizationId, ORGANIZATION_AT, ORGANIZATION_BYTES);
    const token = Buffer.concat([body, this.mac(body)]).toString('base64url');
    return { token, key: `${issuedAt}.${hashOf(token)}` };
  }

  /** The key of a token issued in the last seven days, else null. */
  read(token: string): KnownToken | null {
    const key = this.verify(token);
    return key && this.clock.now() - key.issuedAt < TOKEN_MS ? key : null;
  }

  /** Whether the token is genuine but older than seven days. */
  isExpired(token: string): boolean {
    return this.verify(token) !== null && this.read(token) === null;
  }

  /**
   * Base URL of a page's beacons: its own origin on the default short domain, the API's origin on a custom domain,
   * which only serves links.
   */
  webSdkUrl(onCustomDomain: boolean): string {
    return onCustomDomain ? `${this.apiOrigin}${WEB_SDK}` : WEB_SDK;
  }

  /** The key of a genuine token of any age, else null. */
  private verify(token: string): KnownToken | null {
    if (!TOKEN.test(token)) return null;
    const bytes = Buffer.from(token, 'base64url');
    const body = bytes.subarray(0, -MAC_BYTES);
    // The last Base64 character has spare bits; only the canonical encoding is accepted.
    if (bytes.toString('base64url') !== token) return null;
    if (!timingSafeEqual(bytes.subarray(-MAC_BYTES), this.mac(body))) return null;
    return {
      issuedAt: body.readUIntBE(0, TIME_BYTES),
      hash: hashOf(token),
      organizationId: body.readUIntBE(ORGANIZATION_AT, ORGANIZATION_BYTES),
    };
  }

  private mac(body: Buffer): Buffer {
    if (!this.key) throw new Error('The token key has not been loaded');
    return createHmac('sha256', this.key).update(body).digest().subarray(0, MAC_BYTES);
  }
}

export function parseTokenKey(text: string): TokenKey {
  const [, issuedAt, tokenHash] = KEY.exec(text) ?? [];
  if (issuedAt === undefined || tokenHash === undefined) throw new Error('Malformed token key in a click');
  return { issuedAt: Number(issuedAt), hash: tokenHash };
}

/** The first parameters of statements about a token. */
export function sqlKeyOf({
  issuedAt,
  hash,
  organizationId,
}: KnownToken): [issuedAt: Date, hash: Buffer, organizationId: number] {
  return [new Date(issuedAt), Buffer.from(hash, 'base64url'), organizationId];
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

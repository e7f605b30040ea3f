import { z } from 'zod';
import { InvalidConfiguration } from './invalid-configuration';

/** Roles for people who are neither users nor invited. */
export const NEWCOMER_ROLES = ['VIEWER', 'EDITOR', 'ADMIN'] as const;

/** The identity provider of the console (docs/security.md#identity-provider). */
export interface OidcSettings {
  /** Issuer identifier, and base URL of the provider's metadata. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The provider's name on the sign-in page. */
  readonly label: string;
  /** Organization and role of people who are neither users nor invited; null: they are refused. */
  readonly newcomers: {
    readonly organizationId: number;
    readonly role: (typeof NEWCOMER_ROLES)[number];
  } | null;
}

interface OidcVariables {
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_LABEL?: string | undefined;
  OIDC_DEFAULT_ROLE?: (typeof NEWCOMER_ROLES)[number] | undefined;
  OIDC_DEFAULT_ORGANIZATION?: number | undefined;
}

/** @throws InvalidConfiguration naming the first missing variable */
export function readOidcSettings(given: OidcVariables): OidcSettings | null {
  const set = Object.entries(given).some(([name, value]) => name.startsWith('OIDC_') && value !== undefined);
  if (!set) return null;
  const issuer = needed('OIDC_ISSUER', given.OIDC_ISSUER, 'the other OIDC settings');
  return {
    issuer,
    clientId: needed('OIDC_CLIENT_ID', given.OIDC_CLIENT_ID, 'OIDC_ISSUER'),
    clientSecret: needed('OIDC_CLIENT_SECRET', given.OIDC_CLIENT_SECRET, 'OIDC_ISSUER'),
    label: given.OIDC_LABEL ?? new URL(issuer).hostname,
    newcomers: newcomersOf(given),
  };
}

/** Refuses to disable passwords without an identity provider, because nobody could sign in. */
export function readPasswordLogin(enabled: boolean, oidc: OidcSettings | null): boolean {
  if (!enabled && !oidc) throw new InvalidConfiguration('OIDC_ISSUER: is required with PASSWORD_LOGIN=false');
  return enabled;
}

function newcomersOf({
  OIDC_DEFAULT_ROLE: role,
  OIDC_DEFAULT_ORGANIZATION: organizationId,
}: OidcVariables): OidcSettings['newcomers'] {
  if (role === undefined && organizationId === undefined) return null;
  return {
    organizationId: needed('OIDC_DEFAULT_ORGANIZATION', organizationId, 'OIDC_DEFAULT_ROLE'),
    role: needed('OIDC_DEFAULT_ROLE', role, 'OIDC_DEFAULT_ORGANIZATION'),
  };
}

function needed<T>(name: string, value: T | undefined, by: string): T {
  if (value === undefined) throw new InvalidConfiguration(`${name}: is required with ${by}`);
  return value;
}

export const issuer = z
  .string()
  .refine(isIssuer, { message: 'must be a URL that starts with https://, without query, user or fragment' })
  .optional();

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Whether the URL may be an issuer: HTTPS, or HTTP on this machine. */
function isIssuer(value: string): boolean {
  const url = URL.parse(value);
  if (!url || url.search || url.hash || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.includes(url.hostname));
}

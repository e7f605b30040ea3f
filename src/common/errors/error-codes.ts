interface ErrorCodeTerms {
  readonly status: number;
  /** The message, or an example of it. */
  readonly message: string;
  /** Examples of additional fields. */
  readonly extras?: Readonly<Record<string, unknown>>;
}

const invalid = (field: string, problem: string) => ({
  message: `${field}: ${problem}`,
  extras: { details: [{ field, message: problem }] },
});

/** Every error code of the API, for the code, the OpenAPI document and docs/api.md. */
export const ERROR_CODES = {
  ADDON_REQUIRED: {
    status: 403,
    message: 'The add-on REVENUE_ANALYTICS is required',
    extras: { error: 'ADDON_REQUIRED', addonCode: 'REVENUE_ANALYTICS' },
  },
  ALIAS_TAKEN: { status: 409, message: 'The alias "spring" is already taken on this domain' },
  API_KEY_INVALID: { status: 401, message: 'The API key is not valid' },
  API_KEY_MISSING: { status: 401, message: 'The X-API-KEY header is missing' },
  APP_NOT_OWNED: { status: 403, message: 'The app does not belong to this organization' },
  APP_NOT_USABLE: { status: 400, ...invalid('iosAppId', 'must be an iOS app of the organization') },
  BUNDLE_ID_TAKEN: { status: 409, ...invalid('bundleId', 'is already used by another app of that platform') },
  CODES_COLLIDE: {
    status: 409,
    message: 'links.example.com has codes that differ in letter case alone: 1',
    extras: {
      total: 1,
      collisions: [
        {
          kind: 'link',
          codes: [
            { id: 4821, code: 'Sale' },
            { id: 4907, code: 'sale' },
          ],
        },
      ],
    },
  },
  CONSOLE_TOKEN_INVALID: { status: 401, message: 'The console token is missing, not valid, or expired' },
  CONTACT_BLOCKED: { status: 403, message: 'The contact is blocked and stays deactivated' },
  CREDENTIALS_INVALID: { status: 401, message: 'User name or password is wrong' },
  DEFAULT_GROUP: { status: 409, message: 'The default group cannot be deleted' },
  DESTINATION_NOT_ALLOWED: { status: 400, ...invalid('url', 'must not point to a private address') },
  DESTINATION_UNREACHABLE: { status: 400, ...invalid('url', 'has a host name without an address') },
  DOMAIN_IN_USE: {
    status: 409,
    message: 'links.example.com is in use (links: 3, campaigns: 0); pass force=true to delete it anyway',
    extras: { links: 3, campaigns: 0 },
  },
  DOMAIN_NOT_USABLE: {
    status: 400,
    ...invalid('customDomainId', 'must be a VERIFIED or ACTIVE custom domain of the organization'),
  },
  DOMAIN_NOT_VERIFIED: {
    status: 409,
    message: 'The domain is not verified, so it cannot be revoked',
  },
  DOMAIN_TAKEN: { status: 409, message: 'links.example.com is already in use by an organization' },
  EDIT_CONFLICT: {
    status: 409,
    message: 'Somebody has changed this since you read it',
    extras: {
      details: [
        {
          field: 'title',
          message: 'has been changed meanwhile, or differs from what is stored',
          sent: 'Spring sale',
          stored: 'Summer sale',
        },
      ],
      stored: { id: 7, title: 'Summer sale' },
    },
  },
  EMAIL_TAKEN: { status: 409, message: 'Another user has that e-mail address' },
  EXTERNAL_ID_TAKEN: { status: 409, ...invalid('externalId', 'already belongs to another link') },
  EXTERNAL_USER_ID_TAKEN: { status: 409, ...invalid('externalUserId', 'already belongs to another contact') },
  FEATURE_NOT_AVAILABLE: {
    status: 403,
    message: 'The feature MESSAGING is not available to this organization',
    extras: { feature: 'MESSAGING' },
  },
  GROUP_NAME_TAKEN: { status: 409, message: 'The organization already has a group with that name' },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key was used with another body or query',
  },
  IDENTITY_SIGNATURE_REQUIRED: {
    status: 401,
    message:
      'X-Identity-Signature must be the HMAC-SHA256 of externalUserId with the secret key of the app, in hex',
  },
  IMAGE_NOT_USABLE: { status: 400, ...invalid('url', 'must lead to a PNG, JPEG, WebP, GIF or ICO image') },
  INSUFFICIENT_CREDITS: { status: 409, message: 'The balance is 120', extras: { balance: 120 } },
  INTERNAL_ERROR: {
    status: 500,
    message: 'An internal error occurred; quote the requestId when you report it',
    extras: { requestId: '5f0c8d1e-7a53-4a0e-9c1b-3f7a2b1c9d10' },
  },
  INVALID_CURSOR: {
    status: 400,
    ...invalid('cursor', 'must be a nextCursor that this feed returned'),
  },
  INVALID_DATE_RANGE: { status: 400, message: 'startDate must not be after endDate' },
  INVALID_MONTH: { status: 400, ...invalid('month', 'must be a month such as 2026-11') },
  INVALID_PERIOD: { status: 400, ...invalid('period', 'must not be combined with month') },
  /** One error for unknown, expired and used invitations and links, so that a guess reveals nothing. */
  INVITATION_NOT_FOUND: {
    status: 404,
    message: 'The invitation does not exist, has been used or revoked, or has expired',
  },
  IP_ALREADY_LISTED: { status: 409, message: '203.0.113.0/24 is already on the allow-list' },
  IP_NOT_ALLOWED: { status: 403, message: "This IP address is not on the organization's allow-list" },
  LAST_ADMIN: { status: 409, message: 'The organization needs at least one other ADMIN first' },
  LEASE_LOST: { status: 409, message: 'The delivery has been pulled again, or its result is already known' },
  LIMIT_REACHED: {
    status: 403,
    message: 'The limit is 1000000 links; 1000000 are in use',
    extras: { limit: 1_000_000, usage: 1_000_000 },
  },
  LINK_PASSWORD_REQUIRED: { status: 403, message: 'The link requires a password' },
  LINK_PASSWORD_WRONG: { status: 403, message: 'The password is wrong' },
  MALFORMED_JSON: { status: 400, message: 'The body is not valid JSON' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'PATCH is not allowed here; use GET, POST' },
  NOT_FOUND: { status: 404, message: 'Resource not found' },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    message: 'The Origin header must be https://api.example.com',
  },
  PASSWORD_LOGIN_DISABLED: { status: 403, message: 'Users sign in with the identity provider only' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is larger than 1 MiB' },
  PERMISSION_DENIED: {
    status: 403,
    message: 'The permission revenue.view is required',
    extras: { error: 'PERMISSION_DENIED', permission: 'revenue.view' },
  },
  RANGE_TOO_LARGE: {
    status: 400,
    message:
      'The range has 9000000 clicks, and figures of this kind are read from at most 5000000: ask for 203 days, or for ' +
      'one dimension only',
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests; try again in 42 s' },
  REFUND_EXCEEDS_USE: { status: 409, message: 'Only 300 credits have been used', extras: { used: 300 } },
  RESERVED_ALIAS: { status: 400, ...invalid('customAlias', 'is a reserved word') },
  ROLE_REQUIRED: {
    status: 403,
    message: 'The role ADMIN is required',
    extras: { error: 'ROLE_REQUIRED', role: 'ADMIN' },
  },
  SCOPE_REQUIRED: {
    status: 403,
    message: 'The API key lacks the scope links:write',
    extras: { error: 'SCOPE_REQUIRED', scope: 'links:write' },
  },
  SECRET_KEY_REQUIRED: {
    status: 403,
    message: 'This call needs the secret key of the app, from your server',
  },
  SIGN_IN_LINK_INVALID: {
    status: 401,
    message: 'The sign-in link is unknown, has been used, or has expired',
  },
  TOO_MANY_FORMER_ALIASES: {
    status: 409,
    message: 'At most 20 former aliases lead to one link or campaign: pass releaseOld, or take one back',
  },
  TOO_MANY_SEGMENTS: { status: 409, message: 'An organization has at most 200 segments' },
  UNAVAILABLE: {
    status: 503,
    message: 'A data store is unavailable or overloaded; try again shortly',
  },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Content-Type must be application/json' },
  USERNAME_TAKEN: { status: 409, message: 'The user name is already taken' },
  USER_REQUIRED: {
    status: 403,
    message: 'This is about a signed-in user; the platform token is none',
  },
  VALIDATION_FAILED: { status: 400, ...invalid('url', 'must be a valid URL that starts with https://') },
  WEBHOOK_DISABLED: { status: 409, message: 'The webhook endpoint is disabled; enable it first' },
  WEBHOOK_PUSHED: { status: 409, message: 'Deliveries of this webhook endpoint are posted to its URL' },
} as const satisfies Readonly<Record<string, ErrorCodeTerms>>;

export type ErrorCode = keyof typeof ERROR_CODES;

export const ERROR_CODE_NAMES = Object.keys(ERROR_CODES) as ErrorCode[];

export function errorTerms(code: ErrorCode): ErrorCodeTerms {
  return ERROR_CODES[code];
}

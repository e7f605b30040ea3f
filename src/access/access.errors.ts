import { DomainError } from '../common/errors/domain-error';
import type { ConsoleRole } from './roles';
import type { Scope } from './scopes';

export class ApiKeyMissing extends DomainError {
  constructor() {
    super(401, 'API_KEY_MISSING', 'The X-API-KEY header is missing');
  }
}

export class ApiKeyInvalid extends DomainError {
  constructor() {
    super(401, 'API_KEY_INVALID', 'The API key is not valid');
  }
}

export abstract class AppHeaderError extends DomainError {
  private alone = false;

  /** Uses the body `{error: <message>}` of the cross-platform API (docs/api.md#errors). */
  inBodyOfItsOwn(): this {
    this.alone = true;
    return this;
  }

  override toBody(now: Date): object {
    return this.alone ? { error: this.message } : super.toBody(now);
  }
}

export class AppKeyMissing extends AppHeaderError {
  constructor() {
    super(401, 'API_KEY_MISSING', 'The headers X-App-ID and X-Mobile-App-API-Key are both required');
  }
}

export class AppIdInvalid extends AppHeaderError {
  constructor() {
    const details = [{ field: 'X-App-ID', message: 'must be numeric' }];
    super(400, 'VALIDATION_FAILED', 'X-App-ID: must be numeric', { details });
  }
}

export class AppKeyInvalid extends AppHeaderError {
  constructor() {
    super(401, 'API_KEY_INVALID', 'X-App-ID and X-Mobile-App-API-Key do not match');
  }
}

export class SecretKeyRequired extends DomainError {
  constructor() {
    super(403, 'SECRET_KEY_REQUIRED', 'This call needs the secret key of the app, from your server');
  }
}

export class IdentitySignatureRequired extends DomainError {
  /** @param field the field of the body that names the member */
  constructor(field: string) {
    const needed = `the HMAC-SHA256 of ${field} with the secret key of the app, in hex`;
    super(401, 'IDENTITY_SIGNATURE_REQUIRED', `X-Identity-Signature must be ${needed}`);
  }
}

export class AppOriginNotAllowed extends DomainError {
  constructor(origin: string) {
    super(403, 'ORIGIN_NOT_ALLOWED', `${origin} is not one of the allowedOrigins of the app`);
  }
}

export class ConsoleTokenInvalid extends DomainError {
  constructor() {
    super(401, 'CONSOLE_TOKEN_INVALID', 'The console token is missing, not valid, or expired');
  }
}

export class CredentialsInvalid extends DomainError {
  constructor() {
    super(401, 'CREDENTIALS_INVALID', 'User name or password is wrong');
  }
}

export class PasswordLoginDisabled extends DomainError {
  constructor() {
    super(403, 'PASSWORD_LOGIN_DISABLED', 'Users sign in with the identity provider only');
  }
}

export class UserRequired extends DomainError {
  constructor() {
    super(403, 'USER_REQUIRED', 'This is about a signed-in user; the platform token is none');
  }
}

/** The request may have been caused by a page of another site. */
export class OriginNotAllowed extends DomainError {
  constructor(origin: string) {
    super(403, 'ORIGIN_NOT_ALLOWED', `The Origin header must be ${origin}`);
  }
}

export class IpNotAllowed extends DomainError {
  constructor() {
    super(403, 'IP_NOT_ALLOWED', "This IP address is not on the organization's allow-list");
  }
}

export class FeatureNotAvailable extends DomainError {
  constructor(feature: string) {
    super(403, 'FEATURE_NOT_AVAILABLE', `The feature ${feature} is not available to this organization`, {
      feature,
    });
  }
}

/** `error` is the same as the code (docs/concepts/access.md#permissions). */
export class AddOnRequired extends DomainError {
  constructor(addonCode: string) {
    super(403, 'ADDON_REQUIRED', `The add-on ${addonCode} is required`, {
      error: 'ADDON_REQUIRED',
      addonCode,
    });
  }
}

export class PermissionDenied extends DomainError {
  constructor(permission: string, message = `The permission ${permission} is required`) {
    super(403, 'PERMISSION_DENIED', message, { error: 'PERMISSION_DENIED', permission });
  }
}

/** `error` equals the code; `role` is the lowest role that suffices, or PLATFORM (docs/concepts/access.md#roles). */
export class RoleRequired extends DomainError {
  constructor(role: ConsoleRole, message?: string) {
    const needed = role === 'PLATFORM' ? 'Only the platform may do this' : `The role ${role} is required`;
    super(403, 'ROLE_REQUIRED', message ?? needed, { error: 'ROLE_REQUIRED', role });
  }
}

export class ScopeRequired extends DomainError {
  constructor(scope: Scope) {
    super(403, 'SCOPE_REQUIRED', `The API key lacks the scope ${scope}`, { error: 'SCOPE_REQUIRED', scope });
  }
}

export class LimitReached extends DomainError {
  /** @param resource in the plural, such as `links` */
  constructor(resource: string, limit: number, usage: number) {
    super(403, 'LIMIT_REACHED', `The limit is ${limit} ${resource}; ${usage} are in use`, {
      limit,
      usage,
    });
  }
}

export class RateLimited extends DomainError {
  constructor(retryAfterSeconds: number, message = 'Too many requests') {
    super(
      429,
      'RATE_LIMITED',
      `${message}; try again in ${retryAfterSeconds} s`,
      {},
      {
        'Retry-After': String(retryAfterSeconds),
      },
    );
  }
}

export class AlreadyExists extends DomainError {
  constructor(code: 'USERNAME_TAKEN' | 'EMAIL_TAKEN' | 'IP_ALREADY_LISTED', field: string, message: string) {
    super(409, code, message, { details: [{ field, message }] });
  }
}

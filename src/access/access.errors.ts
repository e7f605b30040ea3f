import { DomainError } from '../common/errors/domain-error';
import type { ConsoleRole } from './roles';

/** The app headers are missing or wrong. */
export class AppHeaderError extends DomainError {
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

export class FeatureNotAvailable extends DomainError {
  constructor(feature: string) {
    super('FEATURE_NOT_AVAILABLE', `The feature ${feature} is not available to this organization`, {
      feature,
    });
  }
}

/** `error` is the same as the code (docs/concepts/access.md#permissions). */
export class AddOnRequired extends DomainError {
  constructor(addonCode: string) {
    super('ADDON_REQUIRED', `The add-on ${addonCode} is required`, {
      error: 'ADDON_REQUIRED',
      addonCode,
    });
  }
}

export class PermissionDenied extends DomainError {
  constructor(permission: string, message = `The permission ${permission} is required`) {
    super('PERMISSION_DENIED', message, { error: 'PERMISSION_DENIED', permission });
  }
}

/** `error` equals the code; `role` is the lowest role that suffices, or PLATFORM (docs/concepts/access.md#roles). */
export class RoleRequired extends DomainError {
  constructor(role: ConsoleRole, message?: string) {
    const needed = role === 'PLATFORM' ? 'Only the platform may do this' : `The role ${role} is required`;
    super('ROLE_REQUIRED', message ?? needed, { error: 'ROLE_REQUIRED', role });
  }
}

export class LimitReached extends DomainError {
  /** @param resource in the plural, such as `links` */
  constructor(resource: string, limit: number, usage: number) {
    super('LIMIT_REACHED', `The limit is ${limit} ${resource}; ${usage} are in use`, {
      limit,
      usage,
    });
  }
}

export class RateLimited extends DomainError {
  constructor(retryAfterSeconds: number, message = 'Too many requests') {
    super(
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
    super(code, message, { details: [{ field, message }] });
  }
}

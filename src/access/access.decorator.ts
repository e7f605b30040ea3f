import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import { ErrorResponse } from '../common/errors/error-response.dto';
import type { AddOn, Permission } from './caller';

/** What a route requires of its caller. The application does not start with a route that declares nothing. */
export type AccessRule =
  /** Service API: X-API-KEY, plan feature API_ACCESS, IP allow-list, rate limit per organization. */
  | { key: 'service'; addOn?: AddOn; permission?: Permission; allowListedIpOnly?: boolean }
  /**
   * SDK and cross-platform APIs: X-App-ID and X-Mobile-App-API-Key, rate limit per app. They require neither
   * API_ACCESS nor a listed address, which are for the Service API (docs/concepts/access.md#order-of-checks),
   * since phones can be anywhere.
   */
  | { key: 'app'; addOn?: AddOn }
  /**
   * Console: bearer token of the platform, or of a user of the organization in the path. `only` restricts who
   * may call (docs/security.md#who-may-do-what-in-the-console), `permission` is required of users.
   */
  | { key: 'console'; only?: ConsoleCallers; permission?: Permission }
  | { key: 'none'; reason: string; rate?: PublicRate };

/**
 * `platform`: only the platform token. `administrator`: also users with every permission. `owner`: any user
 * for their own resources, administrators for those of others; the service calls `assertMayActFor`.
 */
export type ConsoleCallers = 'platform' | 'administrator' | 'owner';

/**
 * A rate limit for anonymous callers. `web`: by the app named in the body, else by address
 * (docs/security.md#calls-without-a-key).
 */
export type PublicRate = 'web';

export const ACCESS_RULE = 'access:rule';

/** Security schemes of the OpenAPI document. */
export const API_KEY_SCHEME = 'apiKey';
export const CONSOLE_SCHEME = 'console';
/** The cookie of a browser, in place of a user's token. */
export const CONSOLE_COOKIE_SCHEME = 'consoleCookie';
/** Both headers of an app, required together. */
export const APP_SCHEME = 'app';
export const APP_KEY_SCHEME = 'appKey';

/** Path prefix of the cross-platform API, whose header errors have their own body (docs/api.md#errors). */
export const CROSS_PLATFORM_API = '/api/v1/cross-platform/';

/**
 * Declares the requirements of a route, for the guards and the OpenAPI document: `@Access({ key: 'service',
 * addOn: 'MESSAGING' })`.
 */
export function Access(rule: Exclude<AccessRule, { key: 'none' }>): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(ACCESS_RULE, rule), ...documented(rule));
}

/** Declares a route without requirements, and why: `@Public('liveness probe')`. */
export function Public(
  reason: string,
  options: { rate?: PublicRate } = {},
): MethodDecorator & ClassDecorator {
  return applyDecorators(
    SetMetadata(ACCESS_RULE, { key: 'none', reason, ...options } satisfies AccessRule),
    ...(options.rate ? [failure(429, 'More calls than an app may make per minute: RATE_LIMITED')] : []),
  );
}

function failure(status: number, description: string) {
  return ApiResponse({ status, description, type: ErrorResponse });
}

function refusals(rule: AccessRule & { key: 'service' }): string {
  const codes = ['FEATURE_NOT_AVAILABLE', 'IP_NOT_ALLOWED'];
  if (rule.addOn && rule.addOn !== 'MESSAGING') codes.push('ADDON_REQUIRED');
  if (rule.permission) codes.push('PERMISSION_DENIED');
  return `Not permitted: ${codes.join(', ')}`;
}

const CONSOLE_REFUSALS: Readonly<Record<ConsoleCallers, string>> = {
  platform: 'Only the platform token may do this',
  administrator: 'Only a user with every permission, or the platform token, may do this',
  owner: 'Resources of another user require a user with every permission, or the platform token',
};

function consoleRefusal({ only, permission }: AccessRule & { key: 'console' }): string {
  if (only) return CONSOLE_REFUSALS[only];
  return permission ? `The permission ${permission} is required` : 'Not permitted';
}

function documented(rule: Exclude<AccessRule, { key: 'none' }>): (MethodDecorator & ClassDecorator)[] {
  switch (rule.key) {
    case 'service':
      return [
        ApiSecurity(API_KEY_SCHEME),
        failure(401, 'API key missing or invalid: API_KEY_MISSING, API_KEY_INVALID'),
        failure(403, refusals(rule)),
        failure(429, 'More calls than the organization may make per minute: RATE_LIMITED'),
      ];
    case 'app':
      return [
        ApiSecurity({ [APP_SCHEME]: [], [APP_KEY_SCHEME]: [] }),
        failure(401, 'A header is missing, or the two do not match: API_KEY_MISSING, API_KEY_INVALID'),
        ...(rule.addOn ? [failure(403, 'Not permitted: ADDON_REQUIRED')] : []),
        failure(429, 'More calls than the app may make per minute: RATE_LIMITED'),
      ];
    case 'console':
      return [
        ApiBearerAuth(CONSOLE_SCHEME),
        failure(401, 'Console token missing, invalid or expired: CONSOLE_TOKEN_INVALID'),
        failure(403, `${consoleRefusal(rule)}: PERMISSION_DENIED`),
      ];
  }
}

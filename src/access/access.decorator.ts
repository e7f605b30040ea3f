import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import { ErrorResponse } from '../common/errors/error-response.dto';
import type { AddOn, Permission } from './caller';

/** What a route asks of its caller. A route without one does not start. */
export type AccessRule =
  /** Service API: X-API-KEY, plan feature API_ACCESS, IP allow-list, rate limit of the organization. */
  | { key: 'service'; addOn?: AddOn; permission?: Permission; allowListedIpOnly?: boolean }
  /**
   * SDK and cross-platform APIs: X-App-ID and X-Mobile-App-API-Key, rate limit of the app. They ask for no plan feature
   * and no listed address: API_ACCESS and the allow-list are the Service API's
   * (docs/concepts/access.md#order-of-checks), and phones are anywhere.
   */
  | { key: 'app'; addOn?: AddOn }
  /**
   * Console: bearer token of the platform or of a user of the organization in the path. `only` says who of them
   * (docs/security.md#who-may-do-what-in-the-console), `permission` what a user must hold.
   */
  | { key: 'console'; only?: ConsoleCallers; permission?: Permission }
  | { key: 'none'; reason: string; rate?: PublicRate };

/**
 * `platform`: the platform token alone. `administrator`: users who hold every permission, too. `owner`: any user for
 * what is their own, an administrator for what is another's; the service asks `assertMayActFor`.
 */
export type ConsoleCallers = 'platform' | 'administrator' | 'owner';

/**
 * A rate limit for those who say no name: `web`: by the app that the body names, else by address
 * (docs/security.md#calls-without-a-key).
 */
export type PublicRate = 'web';

export const ACCESS_RULE = 'access:rule';

/** The security schemes that the OpenAPI document declares. */
export const API_KEY_SCHEME = 'apiKey';
export const CONSOLE_SCHEME = 'console';
/** Together: an app's call carries both headers. */
export const APP_SCHEME = 'app';
export const APP_KEY_SCHEME = 'appKey';

/**
 * What stands before the paths of the cross-platform API, whose header errors have a body of their own
 * (docs/api.md#errors).
 */
export const CROSS_PLATFORM_API = '/api/v1/cross-platform/';

/**
 * States what a route asks for, for the guards and for the OpenAPI document alike:
 * `@Access({ key: 'service', addOn: 'MESSAGING' })`.
 */
export function Access(rule: Exclude<AccessRule, { key: 'none' }>): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(ACCESS_RULE, rule), ...documented(rule));
}

/** A route that asks for nothing, and why: `@Public('liveness probe')`. */
export function Public(
  reason: string,
  options: { rate?: PublicRate } = {},
): MethodDecorator & ClassDecorator {
  return applyDecorators(
    SetMetadata(ACCESS_RULE, { key: 'none', reason, ...options } satisfies AccessRule),
    ...(options.rate ? [failure(429, 'More calls than an app may make in a minute: RATE_LIMITED')] : []),
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
  platform: 'Only the platform token may do that',
  administrator: 'Only a user who holds every permission, or the platform token, may do that',
  owner: "What is another user's needs a user who holds every permission, or the platform token",
};

function consoleRefusal({ only, permission }: AccessRule & { key: 'console' }): string {
  if (only) return CONSOLE_REFUSALS[only];
  return permission ? `The permission ${permission} is needed` : 'Not permitted';
}

function documented(rule: Exclude<AccessRule, { key: 'none' }>): (MethodDecorator & ClassDecorator)[] {
  switch (rule.key) {
    case 'service':
      return [
        ApiSecurity(API_KEY_SCHEME),
        failure(401, 'API key missing or invalid: API_KEY_MISSING, API_KEY_INVALID'),
        failure(403, refusals(rule)),
        failure(429, 'More calls than the organization may make in a minute: RATE_LIMITED'),
      ];
    case 'app':
      return [
        ApiSecurity({ [APP_SCHEME]: [], [APP_KEY_SCHEME]: [] }),
        failure(401, 'A header is missing, or the two are no pair: API_KEY_MISSING, API_KEY_INVALID'),
        ...(rule.addOn ? [failure(403, 'Not permitted: ADDON_REQUIRED')] : []),
        failure(429, 'More calls than the app may make in a minute: RATE_LIMITED'),
      ];
    case 'console':
      return [
        ApiBearerAuth(CONSOLE_SCHEME),
        failure(401, 'Console token missing, invalid or expired: CONSOLE_TOKEN_INVALID'),
        failure(403, `${consoleRefusal(rule)}: PERMISSION_DENIED`),
      ];
  }
}

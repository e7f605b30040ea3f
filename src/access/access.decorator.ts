import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension, ApiResponse } from '@nestjs/swagger';
import { ErrorResponse } from '../common/http/error-response.dto';
import type { AddOn, Permission } from './caller';
import { type ConsoleRole, type Role, ROLE_OF_SCOPE } from './roles';
import { type RouteScope, scopeOf } from './scopes';

/** What a route requires of its caller. The application does not start with a route that declares nothing. */
export type AccessRule =
  /**
   * Service API: X-API-KEY, plan feature API_ACCESS, IP allow-list, rate limit per organization, scope of the key, and
   * the role of the key's user. The same operations of the console (`ServiceController`) require what `consoleRuleOf`
   * returns.
   */
  | {
      key: 'service';
      scope: RouteScope;
      /** Defaults to ROLE_OF_SCOPE. */
      role?: Role;
      addOn?: AddOn;
      permission?: Permission;
      allowListedIpOnly?: boolean;
      /** Calls per minute of an organization that this operation has for itself, instead of the organization's rate. */
      ratePerMinute?: number;
    }
  /**
   * SDK and cross-platform APIs: X-App-ID and X-Mobile-App-API-Key, rate limit per app, and per address with the
   * publishable key. Neither API_ACCESS nor an allowed address is required, since phones can be anywhere (docs/concepts/access.md#order-of-checks).
   */
  | {
      key: 'app';
      publishable: PublishableUse;
      /** Field of the body that names a member; defaults to externalUserId. */
      member?: 'identify';
      addOn?: AddOn;
    }
  /**
   * Console: the platform token, or a user of the organization in the path with `role` (docs/concepts/access.md#roles)
   * and `permission`. With `orSelf`, users also have access to themselves, which the service checks with
   * `assertMayActFor`.
   */
  | { key: 'console'; role: ConsoleRole; orSelf?: true; permission?: Permission; addOn?: AddOn }
  | { key: 'none'; reason: string; rate?: PublicRate };

export type ServiceRule = Extract<AccessRule, { key: 'service' }>;
export type ConsoleRule = Extract<AccessRule, { key: 'console' }>;
export type AppRule = Extract<AccessRule, { key: 'app' }>;

/**
 * What the publishable key of an app opens (docs/concepts/access.md#app-keys). `own`: sessions that it began, which
 * SessionStore checks. `identity`: with the signature of the member. A body that names a member needs the signature
 * with `yes` too.
 */
export type PublishableUse = 'yes' | 'own' | 'identity' | 'no';

/**
 * A rate limit for anonymous callers. `web`: per app named in the body, else per address
 * (docs/security.md#calls-without-a-key).
 */
export type PublicRate = 'web';

export const ACCESS_RULE = 'access:rule';

export const API_KEY_SCHEME = 'apiKey';
export const CONSOLE_SCHEME = 'console';
/** The session cookie of a browser, an alternative to the bearer token. */
export const CONSOLE_COOKIE_SCHEME = 'consoleCookie';
/** Both headers of an app, required together. */
export const APP_SCHEME = 'app';
export const APP_KEY_SCHEME = 'appKey';
/** Extension of an operation with its rule, which `src/openapi/access.ts` turns into documentation. */
export const ACCESS_EXTENSION = 'x-access';

/** Path prefix of the cross-platform API, whose header errors have their own body (docs/api.md#errors). */
export const CROSS_PLATFORM_API = '/api/v1/cross-platform/';

/**
 * Declares the requirements of a route, for the guards and the OpenAPI document, such as `@Access({ key: 'service',
 * scope: 'contacts', addOn: 'MESSAGING' })`. On a class, it documents the methods of that class alone, not inherited ones;
 * rules of apps are on methods alone, so that each decides about the publishable key.
 */
export function Access(rule: AppRule): MethodDecorator;
export function Access(rule: ServiceRule | ConsoleRule): MethodDecorator & ClassDecorator;
export function Access(rule: Exclude<AccessRule, { key: 'none' }>): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(ACCESS_RULE, rule), ApiExtension(ACCESS_EXTENSION, rule));
}

/** Declares a route without requirements, with the reason, such as `@Public('liveness probe')`. */
export function Public(
  reason: string,
  options: { rate?: PublicRate } = {},
): MethodDecorator & ClassDecorator {
  const rated = {
    status: 429,
    description: 'More calls than an app may make per minute: RATE_LIMITED',
    type: ErrorResponse,
  };
  return applyDecorators(
    SetMetadata(ACCESS_RULE, { key: 'none', reason, ...options } satisfies AccessRule),
    ...(options.rate ? [ApiResponse(rated)] : []),
  );
}

export function roleOf({ scope, role }: ServiceRule, method: string): Role {
  return role ?? ROLE_OF_SCOPE[scopeOf(scope, method)];
}

/** What an operation of the Service API requires of users of the console: a role instead of a key and its limits. */
export function consoleRuleOf(rule: ServiceRule, method: string): ConsoleRule {
  const { addOn, permission } = rule;
  return { key: 'console', role: roleOf(rule, method), addOn, permission };
}

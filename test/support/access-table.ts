import type { PublishableUse } from '../../src/access/access.decorator';
import type { AddOn, Permission } from '../../src/access/caller';
import type { ConsoleRole } from '../../src/access/roles';
import type { Scope } from '../../src/access/scopes';
import type { Method, Route } from './openapi';

/** A rule for the paths that match; the first one decides. `*` is any method, `write` any but GET. */
type Rule<T> = readonly [method: Method | '*' | 'write', path: RegExp, required: T];

/**
 * The role that each console operation requires, by its path below `/api/v1/console/`, where `o/` stands for
 * `organizations/{organizationId}/`. Transcribed from docs/concepts/access.md#roles, independently of the code.
 */
const ROLES: readonly Rule<ConsoleRole>[] = [
  // The user's own account.
  ['*', /^(me$|logout$|sessions(\/|$))/, 'VIEWER'],

  // Reserved for the platform: tenants, billing, abuse.
  ['*', /^organizations$/, 'PLATFORM'],
  ['delete', /^organizations\/\{organizationId\}$/, 'PLATFORM'],
  ['write', /^o\/add-ons\//, 'PLATFORM'],
  ['write', /^o\/credits\//, 'PLATFORM'],
  ['write', /^o\/message-sends$/, 'PLATFORM'],
  ['*', /^o\/.*\/disabled$/, 'PLATFORM'],
  ['*', /^debug-schemes$/, 'PLATFORM'],

  // Settings, secrets and people of the organization.
  ['*', /^o\/(users|invitations|api-keys|ip-allow-list|webhooks|deliveries|audit-log)(\/|$)/, 'ADMIN'],
  ['write', /^organizations\/\{organizationId\}$/, 'ADMIN'],
  ['write', /^o\/(mobile-apps|custom-domains|qr-settings)(\/|$)/, 'ADMIN'],
  ['get', /^o\/messaging\/contacts\/\{id\}\/export$/, 'ADMIN'],

  // Contacts and opt-outs, including reads.
  ['*', /^o\/messaging\/contacts(\/|$)/, 'EDITOR'],
  ['*', /^o\/(messaging\/)?unsubscribes(\/|$)/, 'EDITOR'],
  ['*', /^o\/messaging\/opt-out-links$/, 'EDITOR'],
  ['get', /^o\/sessions(\/|$)/, 'EDITOR'],
  ['*', /^o\/messaging\/groups\/\{id\}\/members$/, 'EDITOR'],
  ['write', /^o\/(urls|links|campaigns|segments|messaging\/groups)(\/|$)/, 'EDITOR'],

  ['get', /^o\/(link-preview|images)$/, 'EDITOR'],
  [
    'get',
    /^o\/(tags$|qr-settings$|(urls|links|campaigns|mobile-apps|custom-domains|segments|messaging\/groups)(\/|$))/,
    'VIEWER',
  ],
  [
    'get',
    /^o\/(analytics\/|clicks\/live$|attention$|credits\/transactions$|add-ons$|usage$|debug-schemes$)/,
    'VIEWER',
  ],
  ['get', /^organizations\/\{organizationId\}$/, 'VIEWER'],
];

/**
 * What keys cannot do, by the path below `organizations/{organizationId}/`, and why (docs/concepts/access.md#the-console-api).
 */
export const CONSOLE_ONLY: readonly (readonly [path: RegExp, why: string])[] = [
  [/^$/, 'the organization itself'],
  [/^(users|invitations)(\/|$)/, 'people and roles'],
  [/^api-keys(\/|$)/, 'keys'],
  [/^ip-allow-list(\/|$)/, 'allow-list'],
  [/^audit-log$/, 'the organization itself'],
  [/^(add-ons(\/|$)|credits\/transactions$|message-sends$)/, 'billing'],
  [/^(links|campaigns|custom-domains)\/\{id\}\/disabled$/, "the platform's"],
  [/^mobile-apps\/\{id\}\/settings$/, "the platform's"],
  [/^unsubscribes$/, 'page of the console; programs follow the feeds'],
  [/^(link-preview|images)$/, 'form of the console'],
];

/** Whether an operation is about the user's own account, which the platform does not have. */
export function isOnOneself({ path }: Route): boolean {
  return !path.startsWith('/api/v1/console/organizations') && !path.endsWith('/debug-schemes');
}

/** The scope that each operation of the Service API requires, by its path below `/api/v1/service/`. */
const SCOPES: readonly Rule<Scope>[] = [
  ['get', /^(urls|campaigns)\/\{id\}\/(stats|app-install-stats|clicks|clicks\/export)$/, 'analytics:read'],
  ['get', /^mobile-apps\/\{id\}\/install-stats$/, 'analytics:read'],
  ['get', /^((urls|links)(\/|$)|tags$|qr-settings$)/, 'links:read'],
  ['write', /^((urls|links)(\/|$)|qr-settings$)/, 'links:write'],
  ['get', /^campaigns(\/|$)/, 'campaigns:read'],
  ['write', /^campaigns(\/|$)/, 'campaigns:write'],
  ['get', /^(mobile-apps(\/|$)|debug-schemes$)/, 'apps:read'],
  ['write', /^mobile-apps(\/|$)/, 'apps:write'],
  ['get', /^custom-domains(\/|$)/, 'domains:read'],
  ['write', /^custom-domains(\/|$)/, 'domains:write'],
  ['get', /^messaging\/(contacts|groups)(\/|$)/, 'contacts:read'],
  ['write', /^messaging\/(contacts|groups)(\/|$)/, 'contacts:write'],
  ['get', /^messaging\/(unsubscribes|opt-out-links)(\/|$)/, 'unsubscribes:read'],
  ['write', /^messaging\/(unsubscribes|opt-out-links)(\/|$)/, 'unsubscribes:write'],
  ['get', /^(analytics\/)?segments(\/|$)/, 'segments:read'],
  ['write', /^segments(\/|$)/, 'segments:write'],
  ['get', /^(analytics\/|clicks\/live$|sessions(\/|$)|attention$|usage$)/, 'analytics:read'],
  // What is pulled is leased.
  ['get', /^webhooks\/\{id\}\/pending$/, 'webhooks:write'],
  ['get', /^(webhooks|deliveries)(\/|$)/, 'webhooks:read'],
  ['write', /^(webhooks|deliveries)(\/|$)/, 'webhooks:write'],
];

/** What else operations for servers and apps require, by their path below `/api/v1/`: docs/concepts/access.md#add-ons. */
const ADD_ONS: readonly Rule<AddOn | null>[] = [
  ['delete', /^service\/(messaging\/|segments\/)/, null],
  ['get', /^service\/messaging\/contacts\/(\{id\}\/)?export$/, null],
  ['*', /^service\/messaging\/(contacts|groups)(\/|$)/, 'MESSAGING'],
  ['*', /^service\/analytics\/(revenue|conversions(\/(top|goals))?)$/, 'REVENUE_ANALYTICS'],
  ['*', /^service\/(analytics\/)?segments(\/|$)/, 'DYNAMIC_SEGMENT'],
  ['*', /^service\/(analytics\/events$|sessions(\/|$))/, 'USER_JOURNEY'],
  ['*', /^cross-platform\/(?!(identify|opt-in|withdraw)$)/, 'USER_JOURNEY'],
  ['*', /^sdk\/mobile\/deeplink\/funnel\/track$/, 'USER_JOURNEY'],
  ['*', /^/, null],
];
const PERMISSIONS: readonly Rule<Permission | null>[] = [
  ['*', /^service\/analytics\/revenue$/, 'revenue.view'],
  ['*', /^service\/analytics\/conversions(\/(top|goals))?$/, 'conversion.view'],
  ['*', /^service\/analytics\/events$/, 'event_log.view'],
  ['*', /^service\/analytics\/[dw]au$/, 'mau.view'],
  ['*', /^service\/analytics\/(credits|billing\/usage)$/, 'credits.view'],
  ['*', /^service\/(analytics\/)?segments(\/|$)/, 'segments.view'],
  ['*', /^/, null],
];
const LISTED: readonly Rule<'IP_NOT_ALLOWED' | null>[] = [
  ['*', /^service\/messaging\/(contacts|groups)(\/|$)/, 'IP_NOT_ALLOWED'],
  ['*', /^/, null],
];

/** What publishable keys of apps open: docs/concepts/access.md#app-keys. */
const PUBLISHABLE: readonly Rule<PublishableUse>[] = [
  ['*', /^cross-platform\/(stats\/|withdraw$)/, 'no'],
  ['*', /^sdk\/mobile\/custom-domains(\/|$)/, 'no'],
  ['post', /\/(identify|opt-in|link-user|associations)$/, 'identity'],
  ['get', /^cross-platform\/session\/\{sessionId\}(\/(events|transitions))?$/, 'own'],
  ['post', /^cross-platform\/session\/(create|event|funnel\/track|register-link|transition)$/, 'yes'],
  ['*', /^sdk\/mobile\/(deeplink|clicks)\//, 'yes'],
];

const belowApi = ({ path }: Route) => path.replace('/api/v1/', '');
export const addOnFor = (route: Route) => find(ADD_ONS, route, belowApi(route));
export const permissionFor = (route: Route) => find(PERMISSIONS, route, belowApi(route));
export const publishableFor = (route: Route) => find(PUBLISHABLE, route, belowApi(route));
export const listingFor = (route: Route) => find(LISTED, route, belowApi(route));

/** @throws if the table has no rule for the operation */
export function roleFor(route: Route): ConsoleRole {
  const path = route.path.replace('/api/v1/console/', '');
  return find(ROLES, route, path.replace('organizations/{organizationId}/', 'o/'));
}

/** @throws if the table has no rule for the operation */
export function scopeFor(route: Route): Scope {
  return find(SCOPES, route, route.path.replace('/api/v1/service/', ''));
}

function find<T>(rules: readonly Rule<T>[], { method, path: full }: Route, path: string): T {
  const applies = (of: Rule<T>[0]) => of === '*' || of === method || (of === 'write' && method !== 'get');
  const rule = rules.find(([of, pattern]) => applies(of) && pattern.test(path));
  if (!rule) throw new Error(`The table of test/support/access-table.ts does not name ${method} ${full}`);
  return rule[2];
}

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Limits } from './limits/limits';
import type { ConsoleRole } from './roles';

/** See docs/concepts/access.md#add-ons. */
export const ADD_ONS = ['MESSAGING', 'REVENUE_ANALYTICS', 'USER_JOURNEY', 'DYNAMIC_SEGMENT'] as const;
export type AddOn = (typeof ADD_ONS)[number];

export const PERMISSIONS = [
  'revenue.view',
  'conversion.view',
  'credits.view',
  'mau.view',
  'event_log.view',
  'segments.view',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const PLANS = ['FREE', 'PRO', 'ENTERPRISE'] as const;
export type Plan = (typeof PLANS)[number];

/**
 * Limits on a contact's custom fields (docs/concepts/contacts.md#custom-fields); excess fields are dropped
 * and long values truncated, without an error.
 */
export interface CustomFieldLimits {
  readonly count: number;
  readonly nameLength: number;
  readonly valueLength: number;
}

export interface CallerOrganization {
  readonly id: number;
  readonly timeZone: string;
  /** Null: never changed. */
  readonly timeZoneChangedAt: Date | null;
  readonly baseCurrency: string;
  readonly defaultRegion: string;
  readonly plan: Plan;
  readonly deduplicationCapMinutes: number;
  readonly limits: Limits;
  readonly customFields: CustomFieldLimits;
}

/** Which of its two keys an app has used (docs/concepts/access.md#app-keys). */
export type AppKeyKind = 'secret' | 'publishable';

/** An authenticated caller outside the context of an organization. */
export interface Requester {
  readonly actor: {
    readonly type: 'API_KEY' | 'USER' | 'PLATFORM' | 'APP';
    readonly id: number | null;
    /** Name of the user, key or app, for the audit log. */
    readonly name: string | null;
  };
  /** The user of the session or API key, whose permissions apply; null for the platform. */
  readonly userId: number | null;
  readonly username: string | null;
  readonly permissions: ReadonlySet<string>;
  /** Role of that user; PLATFORM for the platform, null for apps and jobs, which have no user. */
  readonly role: ConsoleRole | null;
  /** Client address, respecting TRUST_PROXY. */
  readonly ip: string;
  /** The console session; absent for the platform and for keys. */
  readonly sessionId?: number;
}

/** A caller in the context of an organization. Every query of tenant data filters by its `organizationId`. */
export interface Caller extends Requester {
  readonly organizationId: number;
  readonly organization: CallerOrganization;
  /** Active add-ons, for fields that require one. */
  readonly addOns: ReadonlySet<string>;
  /** Scopes of the API key; absent for other callers. */
  readonly scopes?: ReadonlySet<string>;
  /** The key of the app; absent for other callers. */
  readonly key?: AppKeyKind;
}

/** An app, authenticated by its two headers (docs/concepts/access.md#app-keys). It has no user, so no permissions. */
export interface AppCaller extends Caller {
  readonly appId: number;
  readonly key: AppKeyKind;
  /** `iOS`, `Android` or `Web`. */
  readonly appPlatform: string;
}

export interface RequestWithCaller extends Request {
  requester?: Requester;
  caller?: Caller;
  appCaller?: AppCaller;
}

/** The caller of this request, in the context of the path's `:organizationId` on console routes. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<RequestWithCaller>();
  if (!caller) throw new Error('The route has no access rule that identifies a caller');
  return caller;
});

/** The caller, on routes without an organization. */
export const Requester = createParamDecorator((_: unknown, context: ExecutionContext): Requester => {
  const { requester } = context.switchToHttp().getRequest<RequestWithCaller>();
  if (!requester) throw new Error('The route has no access rule that identifies a requester');
  return requester;
});

/** The calling app, on routes with `@Access({ key: 'app' })`. */
export const App = createParamDecorator((_: unknown, context: ExecutionContext): AppCaller => {
  const { appCaller } = context.switchToHttp().getRequest<RequestWithCaller>();
  if (!appCaller) throw new Error('The route has no access rule that identifies an app');
  return appCaller;
});

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** Add-ons that an organization can book (docs/concepts/access.md#add-ons). */
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
 * How much of a contact's custom fields is kept (docs/concepts/contacts.md#custom-fields); what is beyond is left out
 * or cut, without an error.
 */
export interface CustomFieldLimits {
  readonly count: number;
  readonly nameLength: number;
  readonly valueLength: number;
}

/** What the rules of a request may ask about its organization. */
export interface CallerOrganization {
  readonly id: number;
  readonly timeZone: string;
  /** When that became its time zone; null: it has had no other. */
  readonly timeZoneChangedAt: Date | null;
  readonly baseCurrency: string;
  readonly defaultRegion: string;
  readonly plan: Plan;
  /** Days that clicks and statistics are kept (docs/concepts/access.md#plans). */
  readonly retentionDays: number;
  /** Longest click de-duplication window of the plan, in minutes. */
  readonly deduplicationCapMinutes: number;
  /** Links that the plan includes. */
  readonly maxLinks: number;
  readonly customFields: CustomFieldLimits;
}

/** Whoever acts, before it is known on which organization. */
export interface Requester {
  readonly actor: {
    readonly type: 'API_KEY' | 'USER' | 'PLATFORM' | 'APP';
    readonly id: number | null;
    /** For the audit log: user name, name of the key or app. */
    readonly name: string | null;
  };
  /** The user whose permissions apply: the key's user, the console's user; null for the platform. */
  readonly userId: number | null;
  readonly username: string | null;
  readonly permissions: ReadonlySet<string>;
  /** Client address, as far as TRUST_PROXY allows. */
  readonly ip: string;
}

/** Who is asking, as the access guard found out. Every look-up of a tenant's data carries `organizationId`. */
export interface Caller extends Requester {
  readonly organizationId: number;
  readonly organization: CallerOrganization;
  /** Codes of the add-ons that are active now, for what an answer holds only with one of them. */
  readonly addOns: ReadonlySet<string>;
}

/**
 * An app, by its two headers (docs/concepts/access.md#app-keys). It acts as itself: without a user, and so without a
 * user's permissions.
 */
export interface AppCaller extends Caller {
  readonly appId: number;
  /** iOS, Android or Web. */
  readonly appPlatform: string;
}

export interface RequestWithCaller extends Request {
  requester?: Requester;
  caller?: Caller;
  appCaller?: AppCaller;
}

/** The caller of this request; on console routes with `:orgId`, the organization is that of the path. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<RequestWithCaller>();
  if (!caller) throw new Error('The route has no access statement that names a caller');
  return caller;
});

/** Who acts, on routes that are about no organization yet. */
export const Requester = createParamDecorator((_: unknown, context: ExecutionContext): Requester => {
  const { requester } = context.switchToHttp().getRequest<RequestWithCaller>();
  if (!requester) throw new Error('The route has no access statement that names a requester');
  return requester;
});

/** The app that calls, on routes with `@Access({ key: 'app' })`. */
export const App = createParamDecorator((_: unknown, context: ExecutionContext): AppCaller => {
  const { appCaller } = context.switchToHttp().getRequest<RequestWithCaller>();
  if (!appCaller) throw new Error('The route has no access statement that names an app');
  return appCaller;
});

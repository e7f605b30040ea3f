import type { ExecutionContext } from '@nestjs/common';
import type { AccessRule, PublicRate } from '../access.decorator';
import type { KeyedApp } from '../app-keys/keyed-apps';
import type { RequestWithCaller } from '../caller';
import type { OrganizationSnapshot } from '../organizations/organization-cache';

/** What the key guard found out, for the guards after it. */
export interface CheckedRequest extends RequestWithCaller {
  rule?: AccessRule;
  /** The organization of an API key or an app. */
  snapshot?: OrganizationSnapshot;
  /** The app of X-App-ID. */
  keyedApp?: KeyedApp;
}

export type ServiceRule = Extract<AccessRule, { key: 'service' }>;

export function checkedRequest(context: ExecutionContext): CheckedRequest {
  return context.switchToHttp().getRequest<CheckedRequest>();
}

/** Whether the route is a public one with that rate limit. */
export function hasPublicRate(context: ExecutionContext, rate: PublicRate): boolean {
  const { rule } = checkedRequest(context);
  return rule?.key === 'none' && rule.rate === rate;
}

/** The rule and the organization of a Service API call; null on every other route. */
export function serviceCall(
  context: ExecutionContext,
): { rule: ServiceRule; snapshot: OrganizationSnapshot; request: CheckedRequest } | null {
  const request = checkedRequest(context);
  const { rule, snapshot } = request;
  return rule?.key === 'service' && snapshot ? { rule, snapshot, request } : null;
}

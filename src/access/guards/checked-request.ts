import type { ExecutionContext } from '@nestjs/common';
import type { AccessRule, PublicRate, ServiceRule } from '../access.decorator';
import type { KeyedApp } from '../app-keys/keyed-apps';
import type { RequestWithCaller } from '../caller';
import type { CachedOrganization } from '../organizations/organization-cache';

/** What the key guard has found out, for the guards after it. */
export interface CheckedRequest extends RequestWithCaller {
  rule?: AccessRule;
  /** The organization of the API key or app, or the one in the path of a console route. */
  snapshot?: CachedOrganization;
  /** The app named in X-App-ID. */
  keyedApp?: KeyedApp;
}

export function checkedRequest(context: ExecutionContext): CheckedRequest {
  return context.switchToHttp().getRequest<CheckedRequest>();
}

export function hasPublicRate(context: ExecutionContext, rate: PublicRate): boolean {
  const { rule } = checkedRequest(context);
  return rule?.key === 'none' && rule.rate === rate;
}

/** The rule and the organization of a Service API request; null on other routes. */
export function serviceCall(
  context: ExecutionContext,
): { rule: ServiceRule; snapshot: CachedOrganization; request: CheckedRequest } | null {
  const request = checkedRequest(context);
  const { rule, snapshot } = request;
  return rule?.key === 'service' && snapshot ? { rule, snapshot, request } : null;
}

/** Id of the user of a console request; null for the platform and on other routes. */
export function consoleUser(context: ExecutionContext): number | null {
  const { rule, requester } = checkedRequest(context);
  return rule?.key === 'console' ? (requester?.userId ?? null) : null;
}

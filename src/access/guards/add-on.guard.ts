import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import { AddOnRequired, FeatureNotAvailable } from '../access.errors';
import type { AddOn } from '../caller';
import type { CachedOrganization } from '../organizations/organization-cache';
import { checkedRequest } from './checked-request';

/**
 * Eighth guard: the add-on must be active. The error for MESSAGING names a plan feature, those for others name the
 * add-on (docs/concepts/access.md#add-ons).
 */
@Injectable()
export class AddOnGuard implements CanActivate {
  constructor(private readonly clock: Clock) {}

  canActivate(context: ExecutionContext): boolean {
    const { rule, snapshot } = checkedRequest(context);
    const addOn = rule && rule.key !== 'none' ? rule.addOn : undefined;
    if (!addOn || hasAddOn(snapshot, addOn, this.clock.now())) return true;
    throw addOn === 'MESSAGING' ? new FeatureNotAvailable(addOn) : new AddOnRequired(addOn);
  }
}

/** Whether the add-on is active at `now`, in milliseconds. */
export function hasAddOn(
  snapshot: CachedOrganization | null | undefined,
  addOn: AddOn,
  now: number,
): boolean {
  return (snapshot?.addOns.get(addOn) ?? -Infinity) > now;
}

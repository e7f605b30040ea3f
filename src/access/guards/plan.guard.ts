import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { FeatureNotAvailable } from '../access.errors';
import { serviceCall } from './checked-request';

/** Third guard: the plan must include the Service API (docs/concepts/access.md#plans). */
@Injectable()
export class PlanGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const call = serviceCall(context);
    if (call && !call.snapshot.apiAccess) throw new FeatureNotAvailable('API_ACCESS');
    return true;
  }
}

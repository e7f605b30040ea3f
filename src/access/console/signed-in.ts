import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Requester, RequestWithCaller } from '../caller';
import type { ConsoleRequester } from './console-tokens';
import { DomainError } from '../../common/errors/domain-error';

export interface SignedInUser extends Requester {
  readonly userId: number;
  readonly sessionId: number;
  readonly organizationId: number;
}

/** Parameter decorator: the signed-in user. @throws USER_REQUIRED for the platform token */
export const SignedIn = createParamDecorator((_: unknown, context: ExecutionContext): SignedInUser => {
  const request = context.switchToHttp().getRequest<RequestWithCaller>();
  const requester = request.requester as ConsoleRequester;
  const { userId, sessionId, ownOrganizationId } = requester;
  if (userId === null || sessionId === undefined || ownOrganizationId === null)
    throw new DomainError('USER_REQUIRED');
  return { ...requester, userId, sessionId, organizationId: ownOrganizationId };
});

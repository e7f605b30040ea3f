import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { UserRequired } from '../access.errors';
import type { Requester, RequestWithCaller } from '../caller';
import type { ConsoleRequester } from './console-tokens';

export interface SignedInUser extends Requester {
  readonly userId: number;
  readonly sessionId: number;
  readonly organizationId: number;
}

/** Parameter decorator: the signed-in user. @throws UserRequired for the platform token */
export const SignedIn = createParamDecorator((_: unknown, context: ExecutionContext): SignedInUser => {
  const request = context.switchToHttp().getRequest<RequestWithCaller>();
  const requester = request.requester as ConsoleRequester;
  const { userId, sessionId, ownOrganizationId } = requester;
  if (userId === null || sessionId === undefined || ownOrganizationId === null) throw new UserRequired();
  return { ...requester, userId, sessionId, organizationId: ownOrganizationId };
});

import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Access } from '../access.decorator';
import { UpdateMeRequest } from './users.dto';
import { MeResponse } from './me.dto';
import { MeService } from './me.service';
import { SignedIn, type SignedInUser } from '../console/signed-in';
import { lockUsers } from './users.service';
import { Editable } from '../../infrastructure/edits/editable.decorator';

@ApiTags('Console: login')
@Access({ key: 'console', role: 'VIEWER' })
@Controller('api/v1/console/me')
export class MeConsoleController {
  constructor(private readonly me: MeService) {}

  @Get()
  @ApiEndpoint({
    operationId: 'getMe',
    summary: 'Get the signed-in user',
    description: 'Who is signed in, with their organization. The platform token is nobody: USER_REQUIRED.',
    response: { type: MeResponse, description: 'The user' },
    errors: ['USER_REQUIRED'],
  })
  get(@SignedIn() user: SignedInUser): Promise<MeResponse> {
    return this.me.get(user.userId);
  }

  @Patch()
  @Editable<MeConsoleController>({
    lock: lockUsers,
    stored: ({ me }, { requester }) => me.get(requester?.userId ?? 0),
  })
  @ApiEndpoint({
    operationId: 'updateMe',
    summary: 'Update the signed-in user',
    description:
      'Only supplied fields change; null clears `name` and `email`, and counts as omitted in the others. A ' +
      "new password ends the user's other sessions. The platform token is nobody: USER_REQUIRED.",
    response: { type: MeResponse, description: 'The updated user' },
    errors: ['USER_REQUIRED', 'USERNAME_TAKEN', 'EMAIL_TAKEN', 'RATE_LIMITED'],
  })
  update(@SignedIn() user: SignedInUser, @Body() body: UpdateMeRequest): Promise<MeResponse> {
    return this.me.update(user, body);
  }
}

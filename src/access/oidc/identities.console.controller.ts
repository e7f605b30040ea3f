import { Delete, Param } from '@nestjs/common';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Access } from '../access.decorator';
import { Caller } from '../caller';
import { UserPath } from '../users/users.dto';
import { IdentitiesService } from './identities.service';
import { ConsoleController } from '../service-controller';

@Access({ key: 'console', role: 'ADMIN' })
@ConsoleController('users/:id/identities', 'Console: users')
export class IdentitiesConsoleController {
  constructor(private readonly identities: IdentitiesService) {}

  @Delete()
  @ApiEndpoint({
    operationId: 'unlinkUser',
    summary: 'Unlink a user from the identity provider',
    description:
      'For a person who has a new account at the identity provider: the next one with a verified address that ' +
      'is the confirmed one of the user is linked. Open sessions go on. PERMISSION_DENIED unless the caller ' +
      'has every permission of the user.',
    response: { description: 'Unlinked, or was not linked' },
    errors: ['PERMISSION_DENIED'],
  })
  unlink(@Caller() caller: Caller, @Param() { id }: UserPath): Promise<void> {
    return this.identities.unlink(caller, id);
  }
}

import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { App, type AppCaller } from '../../access/caller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import {
  IdentifyRequest,
  IdentifyResponse,
  OptInRequest,
  OptInResponse,
} from '../contacts/members/member-data.dto';
import { MemberData } from '../contacts/members/member-data.service';

/** Member data as in the cross-platform API, but errors have the common body. */
@ApiTags('Mobile SDK: members')
@Controller('api/v1/sdk/mobile')
@Access({ key: 'app' })
export class MobileMembersController {
  constructor(private readonly members: MemberData) {}

  @Post('identify')
  @ApiEndpoint({
    operationId: 'identifyAppMember',
    summary: 'Identify a member',
    description:
      'Creates the contact of this externalUserId, or changes what is supplied of it; null is not supplied. One that is ' +
      'deactivated comes back, unless an administrator has blocked it: 403 CONTACT_BLOCKED.',
    response: { type: IdentifyResponse, description: 'What became of the contact' },
    errors: ['CONTACT_BLOCKED'],
  })
  identify(@App() app: AppCaller, @Body() body: IdentifyRequest): Promise<IdentifyResponse> {
    return this.members.identify(app, body);
  }

  @Post('opt-in')
  @ApiEndpoint({
    operationId: 'optInAppMember',
    summary: 'Update consents',
    description: 'Of a member who was identified; those that are not supplied, or null, stay.',
    response: { type: OptInResponse, description: 'Kept' },
    errors: ['NOT_FOUND'],
  })
  optIn(@App() app: AppCaller, @Body() body: OptInRequest): Promise<OptInResponse> {
    return this.members.optIn(app, body);
  }
}

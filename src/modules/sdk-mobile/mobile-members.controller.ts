import { Body, Controller, Post } from '@nestjs/common';
import { ApiNotFoundResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { App, type AppCaller } from '../../access/caller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import {
  IdentifyRequest,
  IdentifyResponse,
  OptInRequest,
  OptInResponse,
} from '../contacts/members/member-data.dto';
import { ContactMissingResponse, orContactMissing } from '../contacts/members/contact-missing';
import { MemberData } from '../contacts/members/member-data.service';

/** Member data as in the cross-platform API, but with the common error body, except for a missing contact. */
@ApiTags('Mobile SDK: members')
@Controller('api/v1/sdk/mobile')
export class MobileMembersController {
  constructor(private readonly members: MemberData) {}

  @Post('identify')
  @Access({ key: 'app', publishable: 'identity' })
  @ApiEndpoint({
    operationId: 'identifyAppMember',
    summary: 'Identify a member',
    description:
      'Creates the contact with this externalUserId, or changes only the fields supplied; null counts as omitted. A ' +
      'deactivated contact is reactivated, unless an administrator has blocked it: 403 CONTACT_BLOCKED.',
    response: { type: IdentifyResponse, description: 'The result for the contact' },
    errors: ['CONTACT_BLOCKED', 'LIMIT_REACHED'],
  })
  identify(@App() app: AppCaller, @Body() body: IdentifyRequest): Promise<IdentifyResponse> {
    return this.members.identify(app, body);
  }

  @Post('opt-in')
  @Access({ key: 'app', publishable: 'identity' })
  @ApiEndpoint({
    operationId: 'optInAppMember',
    summary: 'Update consents',
    description: 'Updates the consents of an identified member. Null or omitted ones stay unchanged.',
    response: { type: OptInResponse, description: 'Saved' },
  })
  @ApiNotFoundResponse({ type: ContactMissingResponse, description: 'Never identified, or withdrawn' })
  optIn(@App() app: AppCaller, @Body() body: OptInRequest): Promise<OptInResponse> {
    return this.members.optIn(app, body).catch(orContactMissing);
  }
}

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
  WithdrawRequest,
  WithdrawResponse,
} from '../contacts/members/member-data.dto';
import { MemberData } from '../contacts/members/member-data.service';
import { Withdrawals } from '../contacts/members/withdrawals.service';
import { ContactMissingResponse, orContactMissing } from '../contacts/members/contact-missing';

/** Needs no add-on, unlike session and funnel endpoints (docs/concepts/access.md#add-ons). */
@ApiTags('Cross-platform: members')
@Controller('api/v1/cross-platform')
export class MemberDataController {
  constructor(
    private readonly members: MemberData,
    private readonly withdrawals: Withdrawals,
  ) {}

  @Post('identify')
  @Access({ key: 'app', publishable: 'identity' })
  @ApiEndpoint({
    operationId: 'identifyMember',
    summary: 'Identify a member',
    description:
      'Creates the contact with this externalUserId, or changes only the fields supplied. A withdrawn contact is ' +
      'reactivated with only the data sent now; one that an administrator has blocked is 403 CONTACT_BLOCKED.',
    response: { type: IdentifyResponse, description: 'The result for the contact' },
    errors: ['CONTACT_BLOCKED', 'LIMIT_REACHED'],
  })
  identify(@App() app: AppCaller, @Body() body: IdentifyRequest): Promise<IdentifyResponse> {
    return this.members.identify(app, body);
  }

  @Post('opt-in')
  @Access({ key: 'app', publishable: 'identity' })
  @ApiEndpoint({
    operationId: 'optInMember',
    summary: 'Update consents',
    description: 'Updates the consents of an identified member. Null or omitted ones stay unchanged.',
    response: { type: OptInResponse, description: 'Saved' },
  })
  @ApiNotFoundResponse({ type: ContactMissingResponse, description: 'Never identified, or withdrawn' })
  optIn(@App() app: AppCaller, @Body() body: OptInRequest): Promise<OptInResponse> {
    return this.members.optIn(app, body).catch(orContactMissing);
  }

  @Post('withdraw')
  @Access({ key: 'app', publishable: 'no' })
  @ApiEndpoint({
    operationId: 'withdrawMember',
    summary: 'Withdraw a member',
    description:
      'Erases name, phone number, e-mail address, push identifier and attributes, clears all consents, deletes the ' +
      'activity, and deactivates the contact. This is irreversible. Anonymous statistics stay.',
    response: { type: WithdrawResponse, description: 'Withdrawn' },
  })
  @ApiNotFoundResponse({ type: ContactMissingResponse, description: 'Nothing to withdraw' })
  withdraw(@App() app: AppCaller, @Body() body: WithdrawRequest): Promise<WithdrawResponse> {
    return this.withdrawals.withdraw(app, body).catch(orContactMissing);
  }
}

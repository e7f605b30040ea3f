import { Body, Controller, Delete, Get, Param, Put, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { ContactResponse } from '../contact-response.dto';
import { ContactMemberPath, ContactRequest } from '../contacts.dto';
import { ContactsService } from '../contacts.service';
import { ContactPresenter } from '../contact-presenter';

/** Contacts by member id, the id that customers' systems know (docs/concepts/contacts.md#identity). */
@ApiTags('Contacts')
@Controller('api/v1/service/messaging/contacts/by-external-id/:externalUserId')
@Access({ key: 'service', addOn: 'MESSAGING', allowListedIpOnly: true })
export class ContactsByMemberController {
  constructor(
    private readonly contacts: ContactsService,
    private readonly presenter: ContactPresenter,
  ) {}

  @Get()
  @ApiEndpoint({
    operationId: 'getContactByExternalId',
    summary: 'Get a contact by member id',
    description: 'The active contact with this externalUserId. Percent-encode the id, a slash as `%2F`.',
    response: { type: ContactResponse, description: 'The contact' },
  })
  get(@Caller() caller: Caller, @Param() { externalUserId }: ContactMemberPath): Promise<ContactResponse> {
    return this.presenter.byMember(caller, externalUserId);
  }

  @Put()
  @ApiEndpoint({
    operationId: 'saveContactByExternalId',
    summary: 'Create or update a contact by member id',
    description:
      'Changes the supplied fields of the contact with this externalUserId (200), or makes one (201). A deactivated ' +
      'contact comes back as a new person would (200); one that is blocked is 403 CONTACT_BLOCKED. The body may ' +
      'repeat the externalUserId of the path, but not name another.',
    response: { type: ContactResponse, description: 'The contact, changed' },
  })
  @ApiCreatedResponse({ type: ContactResponse, description: 'The contact, made' })
  async save(
    @Caller() caller: Caller,
    @Param() { externalUserId }: ContactMemberPath,
    @Body() body: ContactRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ContactResponse> {
    const upserted = await this.contacts.upsertMember(caller, externalUserId, body);
    response.status(upserted.outcome === 'created' ? 201 : 200);
    return this.presenter.response(upserted);
  }

  @Delete()
  @Access({ key: 'service', allowListedIpOnly: true })
  @ApiEndpoint({
    operationId: 'deactivateContactByExternalId',
    summary: 'Deactivate a contact by member id',
    description:
      'It is in no list and no group any more; a request with its externalUserId brings it back. Needs no add-on.',
    response: { description: 'Deactivated' },
  })
  deactivate(@Caller() caller: Caller, @Param() { externalUserId }: ContactMemberPath): Promise<void> {
    return this.contacts.deactivateMember(caller, externalUserId);
  }
}

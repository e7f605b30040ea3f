import { Body, Controller, Delete, Get, HttpCode, Param, Put, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ApiFailures } from '../../../common/errors/api-failures';
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
    private readonly shown: ContactPresenter,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getContactByExternalId',
    summary: 'Get a contact by member id',
    description: 'The active contact with this externalUserId. Percent-encode the id, a slash as `%2F`.',
  })
  @ApiOkResponse({ type: ContactResponse, description: 'The contact' })
  @ApiFailures(400, 404)
  get(@Caller() caller: Caller, @Param() { externalUserId }: ContactMemberPath): Promise<ContactResponse> {
    return this.shown.byMember(caller, externalUserId);
  }

  @Put()
  @ApiOperation({
    operationId: 'saveContactByExternalId',
    summary: 'Create or update a contact by member id',
    description:
      'Changes the supplied fields of the contact with this externalUserId (200), or makes one (201). A deactivated ' +
      'contact comes back as a new person would (200); one that is blocked is 403 CONTACT_BLOCKED. The body may ' +
      'repeat the externalUserId of the path, but not name another.',
  })
  @ApiCreatedResponse({ type: ContactResponse, description: 'The contact, made' })
  @ApiOkResponse({ type: ContactResponse, description: 'The contact, changed' })
  @ApiFailures(400)
  async save(
    @Caller() caller: Caller,
    @Param() { externalUserId }: ContactMemberPath,
    @Body() body: ContactRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ContactResponse> {
    const upserted = await this.contacts.upsertMember(caller, externalUserId, body);
    response.status(upserted.outcome === 'created' ? 201 : 200);
    return this.shown.response(upserted);
  }

  @Delete()
  @HttpCode(204)
  @Access({ key: 'service', allowListedIpOnly: true })
  @ApiOperation({
    operationId: 'deactivateContactByExternalId',
    summary: 'Deactivate a contact by member id',
    description:
      'It is in no list and no group any more; a request with its externalUserId brings it back. Needs no add-on.',
  })
  @ApiNoContentResponse({ description: 'Deactivated' })
  @ApiFailures(400, 404)
  deactivate(@Caller() caller: Caller, @Param() { externalUserId }: ContactMemberPath): Promise<void> {
    return this.contacts.deactivateMember(caller, externalUserId);
  }
}

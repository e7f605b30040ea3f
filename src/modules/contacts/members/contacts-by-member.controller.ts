import { Body, Delete, Get, Param, Put, Res } from '@nestjs/common';
import { ApiCreatedResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { ContactResponse } from '../contact-response.dto';
import { ContactMemberPath, ContactRequest } from '../contacts.dto';
import { ContactsService } from '../contacts.service';
import { ContactPresenter } from '../contact-presenter';
import { Editable, row } from '../../../infrastructure/edits/editable.decorator';

/** Contacts by member id, which customers' systems know (docs/concepts/contacts.md#identity). */
@ServiceController('messaging/contacts/by-external-id/:externalUserId', 'Contacts')
@Access({ key: 'service', scope: 'contacts', addOn: 'MESSAGING', allowListedIpOnly: true })
export class ContactsByMemberController {
  constructor(
    private readonly contacts: ContactsService,
    private readonly presenter: ContactPresenter,
  ) {}

  @Get()
  @ApiEndpoint({
    operationId: 'getContactByExternalId',
    summary: 'Get a contact by member id',
    description:
      'The active contact with this externalUserId. Percent-encode the id, including slashes (`%2F`).',
    response: { type: ContactResponse, description: 'The contact' },
  })
  get(@Caller() caller: Caller, @Param() { externalUserId }: ContactMemberPath): Promise<ContactResponse> {
    return this.presenter.byMember(caller, externalUserId);
  }

  @Put()
  @Editable({ lock: row('contacts', 'externalUserId', 'external_user_id') })
  @ApiEndpoint({
    operationId: 'saveContactByExternalId',
    summary: 'Create or update a contact by member id',
    description:
      'Updates the contact with this externalUserId (200), or creates one (201). A deactivated contact ' +
      'is reactivated like a new person (200); one that is blocked is 403 CONTACT_BLOCKED. The body may ' +
      'repeat the externalUserId of the path, but not contain another one.',
    response: { type: ContactResponse, description: 'The contact was updated' },
    errors: ['CONTACT_BLOCKED', 'LIMIT_REACHED'],
  })
  @ApiCreatedResponse({ type: ContactResponse, description: 'The contact was created' })
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
  @Access({ key: 'service', scope: 'contacts', allowListedIpOnly: true })
  @ApiEndpoint({
    operationId: 'deactivateContactByExternalId',
    summary: 'Deactivate a contact by member id',
    description:
      'The contact leaves all lists and groups; a request with its externalUserId reactivates it. ' +
      'Requires no add-on.',
    response: { description: 'Deactivated' },
  })
  deactivate(@Caller() caller: Caller, @Param() { externalUserId }: ContactMemberPath): Promise<void> {
    return this.contacts.deactivateMember(caller, externalUserId);
  }
}

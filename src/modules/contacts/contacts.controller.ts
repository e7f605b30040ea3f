import { Body, Get, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import type { Page } from '../../common/pagination/page';
import { SUBJECT } from '../../infrastructure/idempotency/idempotency.interceptor';
import { subjectOf } from './contact-events';
import { ContactPage, ContactResponse, FoundContactResponse } from './contact-response.dto';
import {
  ContactByEmailQuery,
  ContactByPhoneQuery,
  ContactPath,
  ContactRequest,
  ListContactsQuery,
} from './contacts.dto';
import { ContactsService } from './contacts.service';
import { ContactPresenter } from './contact-presenter';
import { Editable, row } from '../../infrastructure/edits/editable.decorator';

@ServiceController('messaging/contacts', 'Contacts')
@Access({ key: 'service', scope: 'contacts', addOn: 'MESSAGING', allowListedIpOnly: true })
export class ContactsController {
  constructor(
    private readonly contacts: ContactsService,
    private readonly presenter: ContactPresenter,
  ) {}

  @Post()
  @ApiEndpoint({
    operationId: 'saveContact',
    summary: 'Create or update a contact',
    description:
      'Updates the contact with the same externalUserId (200), or creates one (201). A deactivated ' +
      'contact is reactivated like a new person (200): without consents, and only with the fields sent. ' +
      'A deactivated contact that is blocked is 403 CONTACT_BLOCKED.',
    response: { status: 201, type: ContactResponse, description: 'The contact was created' },
    errors: ['CONTACT_BLOCKED', 'LIMIT_REACHED'],
  })
  @ApiOkResponse({ type: ContactResponse, description: 'The contact was updated' })
  async save(
    @Caller() caller: Caller,
    @Body() body: ContactRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ContactResponse> {
    const upserted = await this.contacts.upsert(caller, body);
    if (upserted.outcome !== 'created') response.status(200);
    const shown = await this.presenter.response(upserted);
    return Object.assign(shown, { [SUBJECT]: subjectOf(shown.id) });
  }

  @Get()
  @ApiEndpoint({
    operationId: 'listContacts',
    summary: 'List contacts',
    description:
      'A page of the active contacts, newest first. For a search or filter with more than 5000 hits, the total ' +
      'may be up to 60 seconds old.',
    response: { type: ContactPage, description: 'A page of contacts' },
    errors: ['ADDON_REQUIRED', 'PERMISSION_DENIED'],
  })
  list(@Caller() caller: Caller, @Query() query: ListContactsQuery): Promise<Page<ContactResponse>> {
    return this.presenter.list(caller, query);
  }

  @Get('by-phone')
  @ApiEndpoint({
    operationId: 'getContactByPhone',
    summary: 'Find a contact by phone number',
    description: 'The active contact with this number; the newest of several.',
    response: { type: FoundContactResponse, description: 'The contact' },
    errors: ['NOT_FOUND'],
  })
  byPhone(@Caller() caller: Caller, @Query() { phone }: ContactByPhoneQuery): Promise<FoundContactResponse> {
    return this.presenter.byPhone(caller, phone);
  }

  @Get('by-email')
  @ApiEndpoint({
    operationId: 'getContactByEmail',
    summary: 'Find a contact by e-mail address',
    description: 'The active contact with this address; the newest of several.',
    response: { type: FoundContactResponse, description: 'The contact' },
    errors: ['NOT_FOUND'],
  })
  byEmail(@Caller() caller: Caller, @Query() { email }: ContactByEmailQuery): Promise<FoundContactResponse> {
    return this.presenter.byEmail(caller, email);
  }

  @Get(':id')
  @ApiEndpoint({
    operationId: 'getContact',
    summary: 'Get a contact',
    description: 'An active contact.',
    response: { type: ContactResponse, description: 'The contact' },
  })
  get(@Caller() caller: Caller, @Param() { id }: ContactPath): Promise<ContactResponse> {
    return this.presenter.get(caller, id);
  }

  @Put(':id')
  @Editable({ lock: row('contacts') })
  @ApiEndpoint({
    operationId: 'updateContact',
    summary: 'Update a contact',
    description: 'Only supplied fields change. An externalUserId that belongs to another contact is 409.',
    response: { type: ContactResponse, description: 'The updated contact' },
    errors: ['EXTERNAL_USER_ID_TAKEN'],
  })
  async update(
    @Caller() caller: Caller,
    @Param() { id }: ContactPath,
    @Body() body: ContactRequest,
  ): Promise<ContactResponse> {
    return this.presenter.response(await this.contacts.update(caller, id, body));
  }
}

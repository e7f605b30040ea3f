import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ApiFailures } from '../../common/errors/api-failures';
import type { Page } from '../../common/pagination/page';
import { SUBJECT } from '../../infrastructure/idempotency/idempotency.interceptor';
import { subjectOf } from './contact-events';
import { ContactPage, ContactResponse } from './contact-response.dto';
import {
  ContactByEmailQuery,
  ContactByPhoneQuery,
  ContactPath,
  ContactRequest,
  ListContactsQuery,
} from './contacts.dto';
import { ContactsService } from './contacts.service';
import { ContactPresenter } from './contact-presenter';

/**
 * Deletion requires no add-on, so that data can be removed after it was cancelled
 * (docs/concepts/access.md#add-ons).
 */
@ApiTags('Contacts')
@Controller('api/v1/service/messaging/contacts')
@Access({ key: 'service', addOn: 'MESSAGING', allowListedIpOnly: true })
export class ContactsController {
  constructor(
    private readonly contacts: ContactsService,
    private readonly shown: ContactPresenter,
  ) {}

  @Post()
  @ApiOperation({
    operationId: 'saveContact',
    summary: 'Create or update a contact',
    description:
      'With the externalUserId of a contact it changes that one (200); otherwise it makes a contact (201). A ' +
      'deactivated contact comes back as a new person would (200): with no consent and nothing else but what is sent. A deactivated contact that is blocked is 403 CONTACT_BLOCKED.',
  })
  @ApiCreatedResponse({ type: ContactResponse, description: 'The contact, made' })
  @ApiOkResponse({ type: ContactResponse, description: 'The contact, changed' })
  @ApiFailures(400, 'CONTACT_BLOCKED')
  async save(
    @Caller() caller: Caller,
    @Body() body: ContactRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ContactResponse> {
    const upserted = await this.contacts.upsert(caller, body);
    if (upserted.outcome !== 'created') response.status(200);
    const shown = await this.shown.response(upserted);
    return Object.assign(shown, { [SUBJECT]: subjectOf(shown.id) });
  }

  @Get()
  @ApiOperation({
    operationId: 'listContacts',
    summary: 'List contacts',
    description:
      'A page of the active contacts, newest first. The number of hits of a keyword that more than 5000 contacts ' +
      'have may be up to 60 seconds old.',
  })
  @ApiOkResponse({ type: ContactPage, description: 'A page of contacts' })
  @ApiFailures(400)
  list(@Caller() caller: Caller, @Query() query: ListContactsQuery): Promise<Page<ContactResponse>> {
    return this.shown.list(caller, query);
  }

  @Get('by-phone')
  @ApiOperation({
    operationId: 'getContactByPhone',
    summary: 'Find a contact by phone number',
    description: 'The active contact that has this number; of several the newest.',
  })
  @ApiOkResponse({ type: ContactResponse, description: 'The contact' })
  @ApiFailures(400, 404)
  byPhone(@Caller() caller: Caller, @Query() { phone }: ContactByPhoneQuery): Promise<ContactResponse> {
    return this.shown.byPhone(caller, phone);
  }

  @Get('by-email')
  @ApiOperation({
    operationId: 'getContactByEmail',
    summary: 'Find a contact by e-mail address',
    description: 'The active contact that has this address; of several the newest.',
  })
  @ApiOkResponse({ type: ContactResponse, description: 'The contact' })
  @ApiFailures(400, 404)
  byEmail(@Caller() caller: Caller, @Query() { email }: ContactByEmailQuery): Promise<ContactResponse> {
    return this.shown.byEmail(caller, email);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getContact', summary: 'Get a contact', description: 'One active contact.' })
  @ApiOkResponse({ type: ContactResponse, description: 'The contact' })
  @ApiFailures(400, 404)
  get(@Caller() caller: Caller, @Param() { id }: ContactPath): Promise<ContactResponse> {
    return this.shown.get(caller, id);
  }

  @Put(':id')
  @ApiOperation({
    operationId: 'updateContact',
    summary: 'Update a contact',
    description: 'Only supplied fields change. An externalUserId of another contact is 409.',
  })
  @ApiOkResponse({ type: ContactResponse, description: 'The contact as it is now' })
  @ApiFailures(400, 404, 'EXTERNAL_USER_ID_TAKEN')
  async update(
    @Caller() caller: Caller,
    @Param() { id }: ContactPath,
    @Body() body: ContactRequest,
  ): Promise<ContactResponse> {
    return this.shown.response(await this.contacts.update(caller, id, body));
  }

  @Delete(':id')
  @HttpCode(204)
  @Access({ key: 'service', allowListedIpOnly: true })
  @ApiOperation({
    operationId: 'deactivateContact',
    summary: 'Deactivate a contact',
    description:
      'It is in no list and no group any more; a request with its externalUserId brings it back. Needs no add-on.',
  })
  @ApiNoContentResponse({ description: 'Deactivated' })
  @ApiFailures(400, 404)
  deactivate(@Caller() caller: Caller, @Param() { id }: ContactPath): Promise<void> {
    return this.contacts.deactivate(caller, id);
  }
}

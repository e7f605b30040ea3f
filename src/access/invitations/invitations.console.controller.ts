import { Body, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Page, PageQuery } from '../../common/pagination/page';
import { Access } from '../access.decorator';
import { Caller } from '../caller';
import { OrganizationPath } from '../organization-path.dto';
import {
  CreatedInvitationResponse,
  CreateInvitationRequest,
  InvitationPage,
  InvitationPath,
  toInvitationResponse,
} from './invitations.dto';
import { InvitationsService } from './invitations.service';
import { ConsoleController } from '../service-controller';

@Access({ key: 'console', role: 'ADMIN' })
@ConsoleController('invitations', 'Console: invitations')
export class InvitationsConsoleController {
  constructor(private readonly invitations: InvitationsService) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listInvitations',
    summary: 'List invitations',
    description: 'Invitations that can still be accepted, newest first.',
    response: { type: InvitationPage, description: 'A page of invitations' },
  })
  async list(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: PageQuery,
  ): Promise<InvitationPage> {
    const [rows, total] = await this.invitations.list(caller, query);
    return Page.of(rows.map(toInvitationResponse), total, query);
  }

  @Post()
  @ApiEndpoint({
    operationId: 'createInvitation',
    summary: 'Invite a person',
    description:
      'Returns a link that is good once and for 72 hours, and is shown only this once: pass it on yourself, ' +
      'the service sends no mail. EMAIL_TAKEN if a user has the address.',
    response: { status: 201, type: CreatedInvitationResponse, description: 'The invitation with its link' },
    errors: ['EMAIL_TAKEN', 'PERMISSION_DENIED'],
  })
  async create(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Body() body: CreateInvitationRequest,
  ): Promise<CreatedInvitationResponse> {
    const { invitation, url } = await this.invitations.create(caller, body);
    return Object.assign(toInvitationResponse(invitation), { url });
  }

  @Delete(':id')
  @ApiEndpoint({
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation',
    description: 'Its link stops working at once.',
    response: { description: 'Revoked' },
  })
  revoke(@Caller() caller: Caller, @Param() { id }: InvitationPath): Promise<void> {
    return this.invitations.revoke(caller, id);
  }
}

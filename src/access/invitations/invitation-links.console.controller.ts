import { Body, Controller, Get, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { isEmbedded } from '../../common/http/embedded-request';
import { toDateTime } from '../../common/time/format';
import { Config } from '../../config/config';
import { Public } from '../access.decorator';
import { type Client, From } from '../console/client';
import { MeResponse } from '../users/me.dto';
import { MeService } from '../users/me.service';
import { OwnOriginGuard } from '../console/own-origin.guard';
import { PasswordLoginGuard } from '../console/password-login.guard';
import { SessionCookie } from '../console/session-cookie';
import { InvitationAcceptance } from './invitation-acceptance.service';
import { AcceptInvitationRequest, InvitationTokenPath, OpenInvitationResponse } from './invitations.dto';
import { OpenInvitations } from './open-invitations';
import { DomainError } from '../../common/errors/domain-error';

@ApiTags('Console: invitations')
@Public('the token of the link is the credential')
@Controller('api/v1/console/invitations/:token')
export class InvitationLinksConsoleController {
  constructor(
    private readonly config: Config,
    private readonly invitations: OpenInvitations,
    private readonly acceptance: InvitationAcceptance,
    private readonly me: MeService,
    private readonly cookie: SessionCookie,
  ) {}

  @Get()
  @ApiEndpoint({
    operationId: 'getInvitation',
    summary: 'See an invitation',
    description:
      'For the person who has opened its link. A token that is unknown, used, revoked or expired is ' +
      'INVITATION_NOT_FOUND, and counts as a failed login of its network (RATE_LIMITED). A page of another site that embeds the address gets ORIGIN_NOT_ALLOWED, and ' +
      'counts for nobody.',
    response: { type: OpenInvitationResponse, description: 'The invitation' },
    errors: ['INVITATION_NOT_FOUND', 'RATE_LIMITED', 'ORIGIN_NOT_ALLOWED'],
  })
  async get(
    @Param() { token }: InvitationTokenPath,
    @From() { ip }: Client,
    @Req() { headers }: Request,
  ): Promise<OpenInvitationResponse> {
    if (isEmbedded(headers))
      throw new DomainError('ORIGIN_NOT_ALLOWED', `The Origin header must be ${this.config.baseUrl}`);
    const { organizationName, email, expiresAt } = await this.invitations.find(token, ip);
    return { organizationName, email, expiresAt: toDateTime(expiresAt) };
  }

  @Post('accept')
  @UseGuards(OwnOriginGuard, PasswordLoginGuard)
  @ApiEndpoint({
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation with a password',
    description:
      'Creates the user and signs in with a cookie, like `signIn`; needs an Origin of BASE_URL ' +
      '(ORIGIN_NOT_ALLOWED). Of several calls at once, one succeeds; the token is INVITATION_NOT_FOUND ' +
      'afterwards. If the user name is taken (USERNAME_TAKEN) or too many passwords are set at once ' +
      '(RATE_LIMITED), the invitation stays open. With PASSWORD_LOGIN=false, people accept through the ' +
      'identity provider: PASSWORD_LOGIN_DISABLED.',
    response: { status: 201, type: MeResponse, description: 'Who is signed in' },
    errors: [
      'INVITATION_NOT_FOUND',
      'USERNAME_TAKEN',
      'EMAIL_TAKEN',
      'ORIGIN_NOT_ALLOWED',
      'PASSWORD_LOGIN_DISABLED',
      'RATE_LIMITED',
    ],
  })
  async accept(
    @Param() { token }: InvitationTokenPath,
    @Body() body: AcceptInvitationRequest,
    @From() from: Client,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MeResponse> {
    const { userId, session } = await this.acceptance.accept(token, body, from);
    this.cookie.set(response, session);
    return this.me.get(userId);
  }
}

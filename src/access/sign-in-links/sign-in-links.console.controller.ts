import { Body, Controller, Post, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Public } from '../access.decorator';
import { type Client, From } from '../console/client';
import { MeResponse } from '../users/me.dto';
import { MeService } from '../users/me.service';
import { OwnOriginGuard } from '../console/own-origin.guard';
import { SessionCookie } from '../console/session-cookie';
import { SignInLinks } from './sign-in-links.service';
import { Text } from '../../common/validation/atoms';

class SignInByLinkRequest {
  @Text({
    max: 100,
    description: 'What follows `#token=` in the link; SIGN_IN_LINK_INVALID if it is unknown, used or expired',
    example: 'wp_sign_in_3fVQm4eW0sVtY7bK1nXc8dZ5aPgL3hJf6iMoRqTuEyA',
  })
  token!: string;
}

@ApiTags('Console: login')
@Controller('api/v1/console/sessions/by-link')
export class SignInLinksConsoleController {
  constructor(
    private readonly links: SignInLinks,
    private readonly cookie: SessionCookie,
    private readonly me: MeService,
  ) {}

  @Post()
  @Public('the token of the link is the credential')
  @UseGuards(OwnOriginGuard)
  @ApiEndpoint({
    operationId: 'signInByLink',
    summary: 'Sign in with a link',
    description:
      'Opens a session with a link that `npm start` or `npm run sign-in` has printed, and sets it as a cookie, like ' +
      '`signIn`. A link is good once and for 24 hours; of several calls at once, one succeeds. A token that is ' +
      'unknown, used or expired is SIGN_IN_LINK_INVALID, and counts as a failed login of its network ' +
      '(RATE_LIMITED). Needs an Origin of BASE_URL (ORIGIN_NOT_ALLOWED); works with PASSWORD_LOGIN=false too.',
    response: { status: 201, type: MeResponse, description: 'Who is signed in' },
    errors: ['SIGN_IN_LINK_INVALID', 'RATE_LIMITED', 'ORIGIN_NOT_ALLOWED'],
  })
  async signIn(
    @Body() { token }: SignInByLinkRequest,
    @From() from: Client,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MeResponse> {
    const { userId, session } = await this.links.open(token, from);
    this.cookie.set(response, session);
    return this.me.get(userId);
  }
}

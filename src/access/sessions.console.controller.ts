import { Body, Controller, Delete, Get, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiEndpoint } from '../common/http/api-endpoint';
import { Page, PageQuery } from '../common/pagination/page';
import { Access, Public } from './access.decorator';
import { IdentityProvider } from './oidc/identity-provider';
import { type Client, From } from './console/client';
import { ConsoleSessions } from './console/console-sessions';
import { LoginRequest } from './console/login.dto';
import { LoginService } from './console/login.service';
import { MeResponse } from './users/me.dto';
import { MeService } from './users/me.service';
import { OwnOriginGuard } from './console/own-origin.guard';
import { PasswordLoginGuard } from './console/password-login.guard';
import { SessionCookie } from './console/session-cookie';
import {
  ConsoleSessionPage,
  ConsoleSessionPath,
  LogoutResponse,
  toConsoleSessionResponse,
} from './console/sessions.dto';
import { SignedIn, type SignedInUser } from './console/signed-in';

@ApiTags('Console: login')
@Controller('api/v1/console')
export class SessionsConsoleController {
  constructor(
    private readonly logins: LoginService,
    private readonly sessions: ConsoleSessions,
    private readonly cookie: SessionCookie,
    private readonly me: MeService,
    private readonly provider: IdentityProvider,
  ) {}

  @Post('sessions')
  @Public('opens console sessions of browsers')
  @UseGuards(OwnOriginGuard, PasswordLoginGuard)
  @ApiEndpoint({
    operationId: 'signIn',
    summary: 'Sign in with a browser',
    description:
      'Opens a session like `login`, within the same limits, and sets it as a cookie that scripts cannot ' +
      'read, instead of returning a token. Only pages of BASE_URL may call it: any other Origin is ' +
      'ORIGIN_NOT_ALLOWED. Later changes with the cookie need that Origin too. With PASSWORD_LOGIN=false, it ' +
      'is PASSWORD_LOGIN_DISABLED.',
    response: { status: 201, type: MeResponse, description: 'Who is signed in' },
    errors: ['RATE_LIMITED', 'CREDENTIALS_INVALID', 'ORIGIN_NOT_ALLOWED', 'PASSWORD_LOGIN_DISABLED'],
  })
  async signIn(
    @Body() body: LoginRequest,
    @From() from: Client,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MeResponse> {
    const { user, session } = await this.logins.open(body, from);
    this.cookie.set(response, session);
    return this.me.get(user.id);
  }

  @Get('sessions')
  @Access({ key: 'console', role: 'VIEWER' })
  @ApiEndpoint({
    operationId: 'listConsoleSessions',
    summary: "List one's own sessions",
    description:
      'The open sessions of the signed-in user, newest first. The platform token has none: USER_REQUIRED.',
    response: { type: ConsoleSessionPage, description: 'A page of sessions' },
    errors: ['USER_REQUIRED'],
  })
  async list(@SignedIn() user: SignedInUser, @Query() query: PageQuery): Promise<ConsoleSessionPage> {
    const [rows, total] = await this.sessions.list(user.userId, query);
    return Page.of(
      rows.map((row) => toConsoleSessionResponse(row, user.sessionId)),
      total,
      query,
    );
  }

  @Delete('sessions/:id')
  @Access({ key: 'console', role: 'VIEWER' })
  @ApiEndpoint({
    operationId: 'endConsoleSession',
    summary: "End one of one's own sessions",
    description:
      'Its token stops working at once; if it is that of the call, its cookie is removed. The platform token has ' +
      'none: USER_REQUIRED.',
    response: { description: 'Ended' },
    errors: ['USER_REQUIRED'],
  })
  async end(
    @SignedIn() user: SignedInUser,
    @Param() { id }: ConsoleSessionPath,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.sessions.end(user.userId, id);
    if (id === user.sessionId) this.cookie.clear(response);
  }

  @Post('logout')
  @Access({ key: 'console', role: 'VIEWER' })
  @ApiEndpoint({
    operationId: 'logout',
    summary: 'End this session',
    description:
      'The token or cookie of the call stops working, and the cookie is removed. The platform token has ' +
      'no session: USER_REQUIRED. A session at the identity provider goes on unless the browser opens ' +
      '`signOutUrl`.',
    response: { type: LogoutResponse, description: 'Ended' },
    errors: ['USER_REQUIRED'],
  })
  async logout(
    @SignedIn() user: SignedInUser,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LogoutResponse> {
    const { openedBy } = await this.sessions.end(user.userId, user.sessionId);
    this.cookie.clear(response);
    return { signOutUrl: openedBy === 'OIDC' ? await this.provider.signOutUrl() : null };
  }
}

import { Controller, Get, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { isEmbedded } from '../../common/http/embedded-request';
import { Config } from '../../config/config';
import { Public } from '../access.decorator';
import { type Client, From } from '../console/client';
import { SessionCookie } from '../console/session-cookie';
import { BrowserCookie } from './browser-cookie';
import { OidcCallbackQuery, SignInOptionsResponse, StartOidcQuery } from './oidc.dto';
import { OidcService } from './oidc.service';
import { SignInErrorFilter } from './sign-in-error.filter';

const START = 'oidc/start';

const toAddress = (description: string) => ({
  status: 302 as const,
  description,
  headers: { Location: { description: 'Where the browser goes', schema: { type: 'string', format: 'uri' } } },
});

@ApiTags('Console: login')
@Controller('api/v1/console')
export class OidcConsoleController {
  constructor(
    private readonly config: Config,
    private readonly oidc: OidcService,
    private readonly browsers: BrowserCookie,
    private readonly cookie: SessionCookie,
  ) {}

  @Get('sign-in-options')
  @Public('what the sign-in page shows')
  @ApiEndpoint({
    operationId: 'getSignInOptions',
    summary: 'See how users can sign in',
    description: 'For the sign-in page.',
    response: { type: SignInOptionsResponse, description: 'The ways to sign in' },
  })
  options(): SignInOptionsResponse {
    const { oidc, passwordLogin, baseUrl } = this.config;
    const url = `${baseUrl}/api/v1/console/${START}`;
    return { passwordLogin, oidc: oidc && { label: oidc.label, url } };
  }

  @Get(START)
  @UseFilters(SignInErrorFilter)
  @Public('opens console sessions of browsers')
  @ApiEndpoint({
    operationId: 'startOidc',
    summary: 'Sign in with the identity provider',
    description:
      'For the address bar of a browser, which goes on to the identity provider (authorization code with ' +
      'PKCE). The sign-in must be finished within 10 minutes by the same browser. An error leads to ' +
      '`/console/sign-in?error=<code>`; docs/security.md lists the codes. What a page of another site embeds leads to ' +
      '`/console/sign-in`, and does not count.',
    response: toAddress('To the identity provider, or to the sign-in page with an error'),
  })
  async start(
    @Query() query: StartOidcQuery,
    @From() { ip }: Client,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { invitation } = query;
    if (invitation !== undefined && isFromElsewhere(request)) {
      response.redirect(302, `${this.config.baseUrl}/console/invitations/${encodeURIComponent(invitation)}`);
      return;
    }
    if (isEmbedded(request.headers)) {
      response.redirect(302, `${this.config.baseUrl}/console/sign-in`);
      return;
    }
    const browser = this.browsers.extend(request, response);
    response.redirect(302, await this.oidc.start(query, browser, ip));
  }

  @Get('oidc/callback')
  @UseFilters(SignInErrorFilter)
  @Public('the state of the sign-in is the credential')
  @ApiEndpoint({
    operationId: 'finishOidc',
    summary: 'Finish signing in with the identity provider',
    description:
      'The redirect URI that the identity provider knows; it adds `code` and `state`, or `error`. Opens a ' +
      'session like `signIn`, and sets its cookie. An error leads to `/console/sign-in?error=<code>`; ' +
      'docs/security.md lists the codes.',
    response: toAddress('To `returnTo`, or to the sign-in page with an error'),
  })
  async callback(
    @Query() _query: OidcCallbackQuery,
    @From() from: Client,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    // Taken from the raw URL, since the provider may add parameters that the DTO does not have.
    const [, ...query] = request.originalUrl.split('?');
    const { session, returnTo } = await this.oidc.finish(
      new URLSearchParams(query.join('?')),
      this.browsers.read(request),
      from,
    );
    this.cookie.set(response, session);
    response.redirect(302, `${this.config.baseUrl}${returnTo}`);
  }
}

/**
 * Whether another site started the request. It must not make a visitor accept an invitation, so the invitation's own
 * page is shown first.
 */
function isFromElsewhere(request: Request): boolean {
  return !['same-origin', 'none'].includes(request.get('sec-fetch-site') ?? 'none');
}

import { Body, Controller, Get, Headers, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../../access/access.decorator';
import { App, type AppCaller } from '../../../access/caller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { TrackFunnelResponse } from '../../cross-platform/funnel.dto';
import { FunnelService } from '../../cross-platform/funnel.service';
import { DeepLinkMatchResponse, MatchQuery } from '../deep-link.dto';
import { DeepLinkMatches } from './deep-link-matches.service';
import { TrackAppFunnelRequest } from './mobile-funnel.dto';

/** Endpoints for apps opened by a page (docs/concepts/deep-links.md#what-the-app-asks). */
@ApiTags('Mobile SDK: deep links')
@Controller('api/v1/sdk/mobile/deeplink')
export class MobileDeepLinksController {
  constructor(
    private readonly matches: DeepLinkMatches,
    private readonly funnel: FunnelService,
  ) {}

  @Get('match')
  @Access({ key: 'app', publishable: 'yes' })
  @ApiEndpoint({
    operationId: 'matchDeepLink',
    summary: 'Match a deep-link token',
    description:
      'For an app opened by a page. The session of the click reaches DEEP_LINK_RESOLVED, once; the token is valid for ' +
      'seven days, for the apps of the link or campaign. A start after an installation counts as an installation, with ' +
      'the stages APP_INSTALLED and APP_OPENED; any other counts as an opening by somebody who had the app.',
    response: { type: DeepLinkMatchResponse, description: 'The link or campaign, and the deep link' },
    errors: ['NOT_FOUND'],
  })
  match(
    @App() app: AppCaller,
    @Query() query: MatchQuery,
    @Headers('user-agent') userAgent = '',
  ): Promise<DeepLinkMatchResponse> {
    return this.matches.match(app, query, userAgent);
  }

  @Post('funnel/track')
  @Access({ key: 'app', publishable: 'yes', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'trackAppFunnel',
    summary: 'Record a stage of the funnel',
    description:
      'Each stage is recorded once per session, in any order. An unknown session is created, because a first start has ' +
      'none. A goal with a transactionId counts once.',
    response: { type: TrackFunnelResponse, description: 'The result' },
    errors: ['NOT_FOUND'],
  })
  track(@App() app: AppCaller, @Body() body: TrackAppFunnelRequest): Promise<TrackFunnelResponse> {
    return this.funnel.track(app, body);
  }
}

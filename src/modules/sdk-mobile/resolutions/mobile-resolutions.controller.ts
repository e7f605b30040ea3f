import type { IncomingHttpHeaders } from 'node:http';
import { decoded } from '../../../common/http/query-string';
import { Controller, Get, Headers, Param, Query } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../access/access.decorator';
import { App, type AppCaller } from '../../../access/caller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import {
  AppShortCodePath,
  CampaignAliasPath,
  ResolveCampaignQuery,
  ResolvedCampaignResponse,
  ResolvedShortUrlResponse,
  ResolveQuery,
  ShortCodePath,
  TrackedCampaignPath,
} from '../deep-link.dto';
import { LinkPasswordFailures } from './link-password-failures';
import { type ResolutionRequest, LinkResolutions } from './link-resolutions';

const OF_THE_ORGANIZATION =
  'It must belong to the organization and refer to this app or to none, on the default domain or else a custom one.';

const PASSWORD_HEADER = {
  name: 'X-Link-Password',
  required: false,
  description:
    'Password, if the link or campaign has one, percent-encoded (`encodeURIComponent`); a header, because URLs end up in logs',
  example: 'open%20sesame',
};

/** Endpoints for apps that the system opened for a URL (docs/concepts/deep-links.md#what-the-app-asks). */
@ApiTags('Mobile SDK: deep links')
@Controller('api/v1/sdk/mobile/deeplink')
export class MobileResolutionsController {
  constructor(private readonly resolutions: LinkResolutions) {}

  @Get('resolve-shorturl/:code')
  @Access({ key: 'app', publishable: 'yes' })
  @ApiEndpoint({
    operationId: 'resolveShortUrl',
    summary: 'Resolve a short code',
    description: `Returns the destination of a short link. ${OF_THE_ORGANIZATION}`,
    response: { type: ResolvedShortUrlResponse, description: 'Destination and deep link' },
  })
  @ApiHeader(PASSWORD_HEADER)
  @LinkPasswordFailures()
  shortUrl(
    @App() app: AppCaller,
    @Param() path: ShortCodePath,
    @Query() query: ResolveQuery,
    @Headers() headers: IncomingHttpHeaders,
  ): Promise<ResolvedShortUrlResponse> {
    return this.resolutions.shortUrl(app, path, asked(query, headers));
  }

  @Get('resolve-shorturl/:appPath/:code')
  @Access({ key: 'app', publishable: 'yes' })
  @ApiEndpoint({
    operationId: 'resolveAppShortUrl',
    summary: 'Resolve a short code under an app path',
    description: `Returns the destination of a short link under the path of an app. ${OF_THE_ORGANIZATION}`,
    response: { type: ResolvedShortUrlResponse, description: 'Destination and deep link' },
  })
  @ApiHeader(PASSWORD_HEADER)
  @LinkPasswordFailures()
  appShortUrl(
    @App() app: AppCaller,
    @Param() path: AppShortCodePath,
    @Query() query: ResolveQuery,
    @Headers() headers: IncomingHttpHeaders,
  ): Promise<ResolvedShortUrlResponse> {
    return this.resolutions.shortUrl(app, path, asked(query, headers));
  }

  @Get('resolve-campaign/:alias')
  @Access({ key: 'app', publishable: 'yes' })
  @ApiEndpoint({
    operationId: 'resolveCampaign',
    summary: 'Resolve the alias of a campaign',
    description: `Returns the destination of a campaign. ${OF_THE_ORGANIZATION}`,
    response: { type: ResolvedCampaignResponse, description: 'Destination and deep link' },
  })
  @ApiHeader(PASSWORD_HEADER)
  @LinkPasswordFailures()
  campaign(
    @App() app: AppCaller,
    @Param() { alias }: CampaignAliasPath,
    @Query() query: ResolveCampaignQuery,
    @Headers() headers: IncomingHttpHeaders,
  ): Promise<ResolvedCampaignResponse> {
    return this.resolutions.campaign(app, alias, query.cid || null, asked(query, headers));
  }

  @Get('resolve-campaign/:alias/:trackerAlias')
  @Access({ key: 'app', publishable: 'yes' })
  @ApiEndpoint({
    operationId: 'resolveTrackedCampaign',
    summary: "Resolve a campaign's address with a tracker",
    description: `Returns the destination of a campaign, which does not depend on the tracker. ${OF_THE_ORGANIZATION}`,
    response: { type: ResolvedCampaignResponse, description: 'Destination and deep link' },
  })
  @ApiHeader(PASSWORD_HEADER)
  @LinkPasswordFailures()
  trackedCampaign(
    @App() app: AppCaller,
    @Param() { alias }: TrackedCampaignPath,
    @Query() query: ResolveCampaignQuery,
    @Headers() headers: IncomingHttpHeaders,
  ): Promise<ResolvedCampaignResponse> {
    return this.resolutions.campaign(app, alias, query.cid || null, asked(query, headers));
  }
}

function asked(query: ResolveQuery, headers: IncomingHttpHeaders): ResolutionRequest {
  const password = headers['x-link-password'];
  return {
    query,
    userAgent: headers['user-agent'] ?? '',
    password: typeof password === 'string' ? decoded(password) : null,
  };
}

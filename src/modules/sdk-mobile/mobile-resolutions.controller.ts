import { Controller, Get, Headers, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { App, type AppCaller } from '../../access/caller';
import { ApiFailures } from '../../common/errors/api-failures';
import {
  AppShortCodePath,
  CampaignAliasPath,
  ResolveCampaignQuery,
  ResolvedCampaignResponse,
  ResolvedShortUrlResponse,
  ShortCodePath,
  TrackedCampaignPath,
} from './deep-link.dto';
import { TargetResolutions } from './target-resolutions';

const OF_THE_ORGANIZATION =
  'One of the organization that is tied to the app, or to none; on the default domain, or else on one of its own.';

/** What an app asks that the system has opened for an address (doc 3 §4). */
@ApiTags('Mobile SDK: deep links')
@Controller('api/v1/sdk/mobile/deeplink')
@Access({ key: 'app' })
export class MobileResolutionsController {
  constructor(private readonly resolutions: TargetResolutions) {}

  @Get('resolve-shorturl/:code')
  @ApiOperation({
    operationId: 'resolveShortUrl',
    summary: 'Resolve a short code',
    description: `Tells where a short link leads. ${OF_THE_ORGANIZATION}`,
  })
  @ApiOkResponse({ type: ResolvedShortUrlResponse, description: 'Where it leads' })
  @ApiFailures(400, 404)
  shortUrl(
    @App() app: AppCaller,
    @Param() path: ShortCodePath,
    @Headers('user-agent') userAgent = '',
  ): Promise<ResolvedShortUrlResponse> {
    return this.resolutions.shortUrl(app, path, userAgent);
  }

  @Get('resolve-shorturl/:appPath/:code')
  @ApiOperation({
    operationId: 'resolveAppShortUrl',
    summary: 'Resolve a short code under an app path',
    description: `Tells where a short link leads that stands under the path of an app. ${OF_THE_ORGANIZATION}`,
  })
  @ApiOkResponse({ type: ResolvedShortUrlResponse, description: 'Where it leads' })
  @ApiFailures(400, 404)
  appShortUrl(
    @App() app: AppCaller,
    @Param() path: AppShortCodePath,
    @Headers('user-agent') userAgent = '',
  ): Promise<ResolvedShortUrlResponse> {
    return this.resolutions.shortUrl(app, path, userAgent);
  }

  @Get('resolve-campaign/:alias')
  @ApiOperation({
    operationId: 'resolveCampaign',
    summary: 'Resolve the alias of a campaign',
    description: `Tells where a campaign leads. ${OF_THE_ORGANIZATION}`,
  })
  @ApiOkResponse({ type: ResolvedCampaignResponse, description: 'Where it leads' })
  @ApiFailures(400, 404)
  campaign(
    @App() app: AppCaller,
    @Param() { alias }: CampaignAliasPath,
    @Query() { cid }: ResolveCampaignQuery,
    @Headers('user-agent') userAgent = '',
  ): Promise<ResolvedCampaignResponse> {
    return this.resolutions.campaign(app, alias, cid || null, userAgent);
  }

  @Get('resolve-campaign/:alias/:trackerAlias')
  @ApiOperation({
    operationId: 'resolveTrackedCampaign',
    summary: "Resolve a campaign's address with a tracker",
    description: `Tells where a campaign leads; the tracker changes nothing of it. ${OF_THE_ORGANIZATION}`,
  })
  @ApiOkResponse({ type: ResolvedCampaignResponse, description: 'Where it leads' })
  @ApiFailures(400, 404)
  trackedCampaign(
    @App() app: AppCaller,
    @Param() { alias }: TrackedCampaignPath,
    @Query() { cid }: ResolveCampaignQuery,
    @Headers('user-agent') userAgent = '',
  ): Promise<ResolvedCampaignResponse> {
    return this.resolutions.campaign(app, alias, cid || null, userAgent);
  }
}

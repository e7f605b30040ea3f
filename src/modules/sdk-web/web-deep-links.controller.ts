import { Body, Controller, Headers, HttpCode, Post } from '@nestjs/common';
import { ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../access/access.decorator';
import { ApiFailures } from '../../common/errors/api-failures';
import { BEACON_TYPES, BeaconBody } from '../../common/http/body-rules';
import { DeepLinkTokensService } from '../attribution/tokens/deep-link-tokens.service';
import { done, TrackStoreVisitRequest, UpdateFingerprintRequest, WebSdkResponse } from './web-deep-links.dto';

/** Reports from the page that opens an app (docs/concepts/deep-links.md#calls-of-web-pages). */
@ApiTags('Web SDK')
@Controller('api/v1/sdk/web')
@Public('Web SDK: no authentication by design; the token says which click it is about', { rate: 'web' })
export class WebDeepLinksController {
  constructor(private readonly tokens: DeepLinkTokensService) {}

  @Post('deeplink/update-fingerprint')
  @HttpCode(200)
  @BeaconBody()
  @ApiConsumes(...BEACON_TYPES)
  @ApiOperation({
    operationId: 'updateFingerprint',
    summary: "Report a page's device",
    description:
      'Lets the first start of the app find the click again. Kept for 24 hours; what a later call leaves out stays.',
  })
  @ApiOkResponse({ type: WebSdkResponse, description: 'It is kept' })
  @ApiFailures(400, 404)
  update(
    @Body() body: UpdateFingerprintRequest,
    @Headers('user-agent') userAgent: string | undefined,
  ): Promise<WebSdkResponse> {
    return this.updateFingerprint(body, userAgent);
  }

  @Post('campaign-deep-link/update-fingerprint')
  @HttpCode(200)
  @BeaconBody()
  @ApiConsumes(...BEACON_TYPES)
  @ApiOperation({
    operationId: 'updateCampaignFingerprint',
    summary: "Report a campaign page's device",
    description: 'The same as for a link: the token says what it belongs to.',
  })
  @ApiOkResponse({ type: WebSdkResponse, description: 'It is kept' })
  @ApiFailures(400, 404)
  updateOfCampaign(
    @Body() body: UpdateFingerprintRequest,
    @Headers('user-agent') userAgent: string | undefined,
  ): Promise<WebSdkResponse> {
    return this.updateFingerprint(body, userAgent);
  }

  @Post('deeplink/track-store-visit')
  @HttpCode(200)
  @BeaconBody()
  @ApiConsumes(...BEACON_TYPES)
  @ApiOperation({
    operationId: 'trackStoreVisit',
    summary: 'Report a visit to the app store',
    description: 'Sent as a beacon just before. The session reaches STORE_VISITED; a repeat changes nothing.',
  })
  @ApiOkResponse({ type: WebSdkResponse, description: 'It is recorded' })
  @ApiFailures(400, 404)
  async trackStoreVisit(@Body() body: TrackStoreVisitRequest): Promise<WebSdkResponse> {
    await this.tokens.trackStoreVisit(body.token);
    return done('Store visit recorded');
  }

  private async updateFingerprint(body: UpdateFingerprintRequest, ofRequest = ''): Promise<WebSdkResponse> {
    const { token, userAgent, resolution, language, deviceModel, osVersion, browserId } = body;
    const device = { resolution, language, deviceModel, osVersion, browserId };
    await this.tokens.updateFingerprint(token, { userAgent: userAgent ?? ofRequest, ...device });
    return done('Fingerprint updated');
  }
}

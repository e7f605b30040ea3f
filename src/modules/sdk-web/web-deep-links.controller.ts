import { Body, Controller, Headers, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../access/access.decorator';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { BeaconBody } from '../../common/http/body-rules';
import { DeepLinkTokensService } from '../attribution/tokens/deep-link-tokens.service';
import { done, TrackStoreVisitRequest, UpdateFingerprintRequest, WebSdkResponse } from './web-deep-links.dto';

/** Reports from the page that opens an app (docs/concepts/deep-links.md#calls-of-web-pages). */
@ApiTags('Web SDK')
@Controller('api/v1/sdk/web')
@Public('Web SDK: no authentication by design; the token says which click it is about', { rate: 'web' })
export class WebDeepLinksController {
  constructor(private readonly tokens: DeepLinkTokensService) {}

  @Post('deeplink/update-fingerprint')
  @BeaconBody()
  @ApiEndpoint({
    operationId: 'updateFingerprint',
    summary: "Report a page's device",
    description:
      'Reports the device, so that the first start of the app is matched with the click. Stored for 24 hours; fields that a later call omits stay.',
    response: { type: WebSdkResponse, description: 'Recorded' },
    errors: ['NOT_FOUND'],
  })
  async update(
    @Body() { token, userAgent, ...device }: UpdateFingerprintRequest,
    @Headers('user-agent') ofRequest = '',
  ): Promise<WebSdkResponse> {
    await this.tokens.updateFingerprint(token, { ...device, userAgent: userAgent ?? ofRequest });
    return done('Fingerprint updated');
  }

  @Post('campaign-deep-link/update-fingerprint')
  @BeaconBody()
  @ApiEndpoint({
    operationId: 'updateCampaignFingerprint',
    summary: "Report a campaign page's device",
    description: 'The same as for a link: the token identifies the click.',
    response: { type: WebSdkResponse, description: 'Recorded' },
    errors: ['NOT_FOUND'],
  })
  updateOfCampaign(
    @Body() body: UpdateFingerprintRequest,
    @Headers('user-agent') userAgent = '',
  ): Promise<WebSdkResponse> {
    return this.update(body, userAgent);
  }

  @Post('deeplink/track-store-visit')
  @BeaconBody()
  @ApiEndpoint({
    operationId: 'trackStoreVisit',
    summary: 'Report a visit to the app store',
    description:
      'Send it as a beacon just before. The session reaches STORE_VISITED; repeats change nothing.',
    response: { type: WebSdkResponse, description: 'Recorded' },
    errors: ['NOT_FOUND'],
  })
  async trackStoreVisit(@Body() body: TrackStoreVisitRequest): Promise<WebSdkResponse> {
    await this.tokens.trackStoreVisit(body.token);
    return done('Store visit recorded');
  }
}

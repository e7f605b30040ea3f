import { Body, Controller, Headers, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../../access/access.decorator';
import { App, type AppCaller } from '../../../access/caller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { LinkPasswordFailures } from '../resolutions/link-password-failures';
import {
  CampaignClickResponse,
  RecordCampaignClickRequest,
  RecordUrlClickRequest,
  UrlClickResponse,
} from './mobile-clicks.dto';
import { MobileClicks } from './mobile-clicks.service';

const ONCE =
  'Repeated clicks from one IP address are de-duplicated as configured in the console; the response is the same, without ' +
  'clickId.';

/** Clicks that apps record (docs/concepts/counting.md#de-duplication). */
@ApiTags('Mobile SDK: clicks')
@Controller('api/v1/sdk/mobile/clicks')
export class MobileClicksController {
  constructor(private readonly clicks: MobileClicks) {}

  @Post('url')
  @Access({ key: 'app', publishable: 'yes' })
  @ApiEndpoint({
    operationId: 'recordUrlClick',
    summary: 'Record a click on a short link',
    description: `Counts like a click on the short domain. ${ONCE}`,
    response: { type: UrlClickResponse, description: 'The click is recorded' },
    errors: ['NOT_FOUND'],
  })
  @LinkPasswordFailures()
  url(
    @App() app: AppCaller,
    @Body() body: RecordUrlClickRequest,
    @Headers('user-agent') userAgent = '',
  ): Promise<UrlClickResponse> {
    return this.clicks.url(app, body, userAgent);
  }

  @Post('campaign')
  @Access({ key: 'app', publishable: 'yes' })
  @ApiEndpoint({
    operationId: 'recordCampaignClick',
    summary: 'Record a click on a campaign',
    description: `Counts like a click on the short domain, under its tracker and customer. ${ONCE}`,
    response: { type: CampaignClickResponse, description: 'The click is recorded' },
    errors: ['NOT_FOUND'],
  })
  @LinkPasswordFailures()
  campaign(
    @App() app: AppCaller,
    @Body() body: RecordCampaignClickRequest,
    @Headers('user-agent') userAgent = '',
  ): Promise<CampaignClickResponse> {
    return this.clicks.campaign(app, body, userAgent);
  }
}

import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../access/access.decorator';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { BeaconBody } from '../../common/http/body-rules';
import { Config } from '../../config/config';
import { DebugSchemeRequest } from './debug-schemes.dto';
import { DebugSchemesService } from './debug-schemes.service';
import { done, WebSdkResponse } from './web-deep-links.dto';
import { WebSdkFiles } from './web-sdk-files';
import { toWebSdkVersionResponse, WebSdkVersionResponse } from './web-sdk.dto';

/** Endpoints about the browser SDK itself (docs/web-sdk.md#script-and-versions). */
@ApiTags('Web SDK')
@Controller('api/v1/sdk/web')
export class WebSdkController {
  constructor(
    private readonly files: WebSdkFiles,
    private readonly reports: DebugSchemesService,
    private readonly config: Config,
  ) {}

  @Get('version')
  @Public('Web SDK: no authentication by design; says what anybody can download', { rate: 'web' })
  @ApiEndpoint({
    operationId: 'getWebSdkVersion',
    summary: 'Get the latest version of the Web SDK',
    description: 'The URL of a version and its content never change.',
    response: { type: WebSdkVersionResponse, description: 'The version' },
  })
  version(): WebSdkVersionResponse {
    return toWebSdkVersionResponse(this.config.baseUrl, this.files.latest);
  }

  @Post('deeplink/debug-scheme')
  @Public('Web SDK: no authentication by design; only the console shows what was reported', { rate: 'web' })
  @BeaconBody()
  @ApiEndpoint({
    operationId: 'reportDebugScheme',
    summary: 'Report how a page opens an app',
    description:
      'For developers who try deep links: the console shows the report for 24 hours to the organization whose app has ' +
      'the package or the scheme.',
    response: { type: WebSdkResponse, description: 'Recorded' },
  })
  async debugScheme(@Body() body: DebugSchemeRequest): Promise<WebSdkResponse> {
    await this.reports.add(body);
    return done('Debug information recorded');
  }
}

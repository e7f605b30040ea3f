import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../../access/access.decorator';
import { App, type AppCaller } from '../../../access/caller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { FingerprintMatchResponse, ResolveFingerprintQuery } from './fingerprints.dto';
import { FingerprintsService } from './fingerprints.service';

/** Deferred deep links for first starts of apps (docs/concepts/deep-links.md#matching-a-first-start). */
@ApiTags('Mobile SDK: deep links')
@Controller('api/v1/sdk/mobile/deeplink')
export class FingerprintsController {
  constructor(private readonly fingerprints: FingerprintsService) {}

  @Get('resolve-fingerprint')
  @Access({ key: 'app', publishable: 'yes' })
  @ApiEndpoint({
    operationId: 'resolveFingerprint',
    summary: 'Match an installation with a click',
    description:
      'For the first start of an app. Returns the newest click on one of its links or campaigns from the same IP address ' +
      'within 24 hours, if the page’s device matches this one and no other visitor’s could be meant. Each click is ' +
      'matched once; its session reaches APP_INSTALLED, APP_OPENED and DEEP_LINK_RESOLVED. A call with the secret key ' +
      'and without ipAddress is 400 VALIDATION_FAILED.',
    response: { type: FingerprintMatchResponse, description: 'The click, or the reason why there is none' },
  })
  resolve(@App() app: AppCaller, @Query() query: ResolveFingerprintQuery): Promise<FingerprintMatchResponse> {
    return this.fingerprints.resolve(app, query);
  }
}

import { Field } from '../../common/http/api-field';
import { Bool, Id, Text } from '../../common/validation/atoms';
import { ScreenSize } from '../../common/validation/lenient';

const TOKEN = {
  max: 200,
  description: 'Token of the page, `data-token` of its body; NOT_FOUND when it was never issued',
  example: 'AZqA3mXQb0y2n1l8c7d6e5f4g3h2i1j0kLmAAAAAABNoPqRsTuE',
};

/**
 * Body of the update-fingerprint endpoints (docs/concepts/deep-links.md#calls-of-web-pages).
 */
export class UpdateFingerprintRequest {
  @Text(TOKEN)
  token!: string;

  @ScreenSize({ max: 50, description: 'Screen size' })
  resolution?: string | null;

  @Id({ optional: true, description: 'Id of the app, for its rate limit', example: 42 })
  appId?: number | null;

  @Text({
    optional: true,
    max: 2000,
    description: '`navigator.userAgent`; defaults to the user agent of the request',
    example: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)',
  })
  userAgent?: string | null;

  @Text({ optional: true, max: 50, description: 'Language of the browser', example: 'ko-KR' })
  language?: string | null;

  @Text({ optional: true, max: 200, description: 'Device model, from client hints', example: 'SM-S928B' })
  deviceModel?: string | null;

  @Text({
    optional: true,
    max: 50,
    description: 'Version of the operating system, from client hints',
    example: '16.0',
  })
  osVersion?: string | null;

  @Text({
    optional: true,
    max: 64,
    description:
      'Random id that the page stores in its browser for a day: distinguishes two identical phones from one that clicks twice',
    example: 'f3b0c9a1d2e84756a1b2c3d4e5f60718',
  })
  browserId?: string | null;
}

/** Body of track-store-visit (docs/concepts/deep-links.md#calls-of-web-pages). */
export class TrackStoreVisitRequest {
  @Text(TOKEN)
  token!: string;

  @Bool({ default: false, description: 'Whether the page is that of a campaign', example: false })
  isCampaign!: boolean;
}

export class WebSdkResponse {
  @Field('Always `success`; errors have the common body', 'success')
  status!: string;

  @Field('What was done', 'Fingerprint updated')
  message!: string;
}

export function done(message: string): WebSdkResponse {
  return { status: 'success', message };
}

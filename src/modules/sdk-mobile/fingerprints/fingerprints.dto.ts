import { INT64_OR_NULL, TEXT_OR_NULL, Field } from '../../../common/http/api-field';
import type { FailureReason } from '../../sessions/funnel';
import type { TrackedLinkEntity } from '../../tracked-links/tracked-link.entity';
import { QueryBool, Text } from '../../../common/validation/atoms';
import { SCREEN_SIZE } from '../../../common/validation/lenient';
import type { KnownApp } from '../../apps/cache/app-cache';
import { IpAddress } from '../../sessions/end-user.dto';
import type { TrackedLinkRef } from '../../sessions/rollups/funnel-sums';
import type { MatchedStart } from '../../attribution/matched-starts';
import { deepLinkOf } from '../deep-link';

/**
 * The device of a first start, as the app reports it (docs/concepts/deep-links.md#matching-a-first-start).
 */
export class ResolveFingerprintQuery {
  @Text({
    max: 2000,
    description: 'User agent of the app or of its web view',
    example: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
  })
  userAgent!: string;

  @IpAddress({
    optional: true,
    description:
      'IP address of the device, as seen by the app’s server; required with the secret key. VALIDATION_FAILED with the ' +
      'publishable key, where the address of the request counts',
    example: '203.0.113.7',
  })
  ipAddress?: string | null;

  @Text({
    optional: true,
    max: 50,
    description: 'Screen size, `<width>x<height>`: in pixels, or in points (iOS) or dp (Android)',
    example: '1179x2556',
    pattern: SCREEN_SIZE,
    patternText: 'must be <width>x<height>',
  })
  resolution?: string | null;

  @Text({ optional: true, max: 50, description: 'Version of the operating system', example: '26.1' })
  osVersion?: string | null;

  @Text({ optional: true, max: 50, description: 'Language of the device', example: 'ko-KR' })
  language?: string | null;

  @Text({ optional: true, max: 200, description: 'Device model', example: 'SM-S928B' })
  deviceModel?: string | null;

  @QueryBool({
    optional: true,
    description:
      'Whether this is the first start since the installation: true counts as an installation, false as an opening. By ' +
      'default an installation, unless the same browser opened the app within the last day',
    example: true,
  })
  isFirstLaunch?: boolean | null;
}

/**
 * The click that led to an app's first start (docs/concepts/deep-links.md#matching-a-first-start). Without a match,
 * all fields but `matched` and the reason are null.
 */
export class FingerprintMatchResponse {
  @Field('Whether the click was found', true)
  matched!: boolean;

  @Field('Method of the match', 'FINGERPRINT', { type: String, nullable: true, enum: ['FINGERPRINT'] })
  matchType!: 'FINGERPRINT' | null;

  @Field('Similarity of the devices that page and app reported', 0.875, {
    type: Number,
    nullable: true,
    minimum: 0.6,
    maximum: 1,
  })
  confidence!: number | null;

  @Field('Why there is no match', null, {
    type: String,
    nullable: true,
    enum: ['NO_CANDIDATE', 'AMBIGUOUS', 'LOW_CONFIDENCE', 'EXPIRED'],
  })
  reason!: FailureReason | null;

  @Field('Token of the click', 'AZqA3mXQb0y2n1l8c7d6e5f4g3h2i1j0kLmAAAAAABNoPqRsTuE', TEXT_OR_NULL)
  token!: string | null;

  @Field('Session that the click started and the app continues', '019aa0b4-6d3f-7c1e-9a52-3f8e6d1c2b4a', {
    type: String,
    nullable: true,
    format: 'uuid',
  })
  sessionId!: string | null;

  @Field('Id of the link', 42, INT64_OR_NULL)
  urlId!: number | null;

  @Field('Id of the campaign', null, INT64_OR_NULL)
  campaignId!: number | null;

  @Field('Goal type of the link or campaign', 'purchase', TEXT_OR_NULL)
  goalType!: string | null;

  @Field('URL scheme of the app', 'exampleshop://', TEXT_OR_NULL)
  scheme!: string | null;

  @Field('Complete deep-link URL to navigate to', 'exampleshop://products/42?from=spring', TEXT_OR_NULL)
  deepLinkUrl!: string | null;

  @Field('Path on iOS, with its query', '/products/42?from=spring', TEXT_OR_NULL)
  iosDeepLinkPath!: string | null;

  @Field('Path on Android, with its query', '/products/42?from=spring', TEXT_OR_NULL)
  androidDeepLinkPath!: string | null;

  @Field('Destination on the web', 'https://shop.example.com/products/42', TEXT_OR_NULL)
  originalUrl!: string | null;

  @Field('Short code or alias', 'aZ3kQ9x', TEXT_OR_NULL)
  shorturl!: string | null;
}

interface Matched extends MatchedStart {
  confidence: number;
  clicked: TrackedLinkRef;
  trackedLink: TrackedLinkEntity;
  app: KnownApp;
}

export const NO_MATCH: Omit<FingerprintMatchResponse, 'reason'> = {
  matched: false,
  matchType: null,
  confidence: null,
  token: null,
  sessionId: null,
  urlId: null,
  campaignId: null,
  goalType: null,
  scheme: null,
  deepLinkUrl: null,
  iosDeepLinkPath: null,
  androidDeepLinkPath: null,
  originalUrl: null,
  shorturl: null,
};

export function toFingerprintMatch(match: Matched): FingerprintMatchResponse {
  const { token, sessionId, confidence, clicked, trackedLink, app } = match;
  return {
    matched: true,
    matchType: 'FINGERPRINT',
    confidence,
    reason: null,
    token,
    sessionId,
    campaignId: clicked.kind === 'campaign' ? clicked.id : null,
    ...deepLinkOf(app, trackedLink, clicked.kind === 'link' ? clicked.id : null),
    shorturl: trackedLink.code,
  };
}

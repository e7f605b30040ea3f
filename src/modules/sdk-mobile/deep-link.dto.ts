import { ApiProperty } from '@nestjs/swagger';
import { Text } from '../../common/validation/atoms';

const nullable = (description: string, example: string) =>
  ApiProperty({ type: String, nullable: true, description, example });
const id = (description: string) =>
  ApiProperty({ type: 'integer', format: 'int64', nullable: true, description, example: 42 });

/** What an app needs to show what a link or campaign leads to (doc 3 §2). */
class DeepLinkResponse {
  @nullable('URL scheme of the app', 'exampleshop://')
  scheme!: string | null;

  @nullable(
    'Complete deep link: navigate to this one, as joining scheme and path may lose what its query says; null when ' +
      'nothing of this app is meant, or it has no scheme',
    'exampleshop://products/42?color=red%26blue',
  )
  deepLinkUrl!: string | null;

  @nullable('Path that the iOS app opens, with its query', '/products/42?color=red%26blue')
  iosDeepLinkPath!: string | null;

  @nullable('Path that the Android app opens, with its query', '/products/42?color=red%26blue')
  androidDeepLinkPath!: string | null;

  @ApiProperty({ description: 'Destination on the web', example: 'https://shop.example.com/products/42' })
  originalUrl!: string;

  @id('Id of the link; null for a campaign')
  urlId!: number | null;

  @nullable('Type of the goals that do not name one', 'purchase')
  goalType!: string | null;
}

/** What a token, or a fingerprint, stands for. */
export class DeepLinkMatchResponse extends DeepLinkResponse {
  @ApiProperty({ description: 'Short code, or alias of the campaign', example: 'aZ3kQ9x' })
  shorturl!: string;

  @id('Id of the campaign; null for a link')
  campaignId!: number | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Session that the click began; null for a click that counts nowhere',
    example: '0193a5b0-7c1e-7d3a-9f00-5b8e2d1c4a6f',
  })
  sessionId!: string | null;
}

export class MatchQuery {
  @Text({
    max: 200,
    description: 'Token of the page that opened the app',
    example: 'AZqA3mXQb0y2n1l8c7d6e5f4g3h2i1j0kLmNoPqRsTu',
  })
  token!: string;
}

class ResolvedResponse extends DeepLinkResponse {
  @nullable('URL namespace of the app that the address names', 'k3v9qx')
  appPath!: string | null;

  @nullable('Where phones without the app go', 'https://m.shop.example.com/products/42')
  mobileTargetUrl!: string | null;

  @nullable('The customer of `cid` in the campaign’s address; null for a short link', 'customer-42')
  customerId!: string | null;
}

export class ResolvedShortUrlResponse extends ResolvedResponse {
  @ApiProperty({ description: 'Short code', example: 'aZ3kQ9x' })
  shortCode!: string;
}

export class CampaignReference {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id', example: 7 })
  id!: number;

  @ApiProperty({ description: 'Name', example: 'Autumn' })
  name!: string;

  @ApiProperty({ description: 'Alias', example: 'autumn' })
  alias!: string;
}

export class ResolvedCampaignResponse extends ResolvedResponse {
  @ApiProperty({ type: CampaignReference, description: 'The campaign' })
  campaign!: CampaignReference;
}

/** Of any form: what can't be a code is simply not found. */
const word = (description: string, example: string) => Text({ max: 1000, description, example });

export class ShortCodePath {
  @word('Short code', 'aZ3kQ9x')
  code!: string;
}

export class AppShortCodePath extends ShortCodePath {
  @word('URL namespace of the app', 'k3v9qx')
  appPath!: string;
}

export class CampaignAliasPath {
  @word('Alias of the campaign', 'autumn')
  alias!: string;
}

export class TrackedCampaignPath extends CampaignAliasPath {
  @word('Alias of the tracker', 'poster')
  trackerAlias!: string;
}

export class ResolveCampaignQuery {
  @Text({
    max: 100,
    description: "The customer, as `cid` of the campaign's address names him",
    example: 'customer-42',
    optional: true,
  })
  cid?: string | null;
}

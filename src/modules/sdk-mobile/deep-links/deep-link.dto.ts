import { ApiProperty } from '@nestjs/swagger';
import { QueryBool, Text } from '../../../common/validation/atoms';
import { SESSION_ID } from '../../cross-platform/sessions.dto';
import { EndUserFields } from '../../sessions/end-user.dto';

const nullable = (description: string, example: string) =>
  ApiProperty({ type: String, nullable: true, description, example });
const id = (description: string) =>
  ApiProperty({ type: 'integer', format: 'int64', nullable: true, description, example: 42 });

/** What an app needs to show what a link or campaign leads to (docs/concepts/deep-links.md#what-the-app-asks). */
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

const FIRST_LAUNCH = { optional: true, example: false } as const;

export class MatchQuery extends EndUserFields {
  @Text({
    max: 200,
    description: 'Token of the page that opened the app; NOT_FOUND for one that no page was given',
    example: 'AZqA3mXQb0y2n1l8c7d6e5f4g3h2i1j0kLmNoPqRsTu',
  })
  token!: string;

  @QueryBool({
    ...FIRST_LAUNCH,
    description:
      'Whether this is the first start since the installation: true counts as an installation, false as an opening. ' +
      'Without it, the first call with a token whose page has gone to the store counts as an installation, every other ' +
      'one as an opening',
  })
  isFirstLaunch?: boolean | null;
}

class ResolvedResponse extends DeepLinkResponse {
  @nullable('URL namespace of the app that the address names', 'k3v9qx')
  appPath!: string | null;

  @nullable('Where phones without the app go', 'https://m.shop.example.com/products/42')
  mobileTargetUrl!: string | null;

  @nullable('The customer of `cid` in the campaign’s address; null for a short link', 'customer-42')
  customerId!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The session that this opening belongs to; null where the call names none, by its token or its id',
    example: '0193a5b0-7c1e-7d3a-9f00-5b8e2d1c4a6f',
  })
  sessionId!: string | null;
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
const word = (description: string, example: string) =>
  Text({ max: 1000, visible: false, description, example });

export class ShortCodePath {
  @word('Short code', 'spring-sale')
  code!: string;
}

export class AppShortCodePath extends ShortCodePath {
  @word('URL namespace of the app, its `path`; NOT_FOUND for one that is not', 'k3v9qx')
  appPath!: string;
}

export class CampaignAliasPath {
  @word('Alias of the campaign', 'spring-sale')
  alias!: string;
}

export class TrackedCampaignPath extends CampaignAliasPath {
  @word('Alias of the tracker', 'poster')
  trackerAlias!: string;
}

export class ResolveQuery extends EndUserFields {
  @Text({
    optional: true,
    max: 200,
    description:
      "Token of a click on the same link, where the address that opened the app has one as `waypost_token`: the click's " +
      'session goes on in the app. One that is of no use is ignored',
    example: 'AZqA3mXQb0y2n1l8c7d6e5f4g3h2i1j0kLmNoPqRsTu',
  })
  token?: string | null;

  @Text({
    ...SESSION_ID,
    optional: true,
    description:
      'The session that this opening belongs to, by an id of your own; one that is not known begins. With it, the ' +
      'session reaches DEEP_LINK_RESOLVED and counts for the link. A token goes before it',
  })
  sessionId?: string | null;

  @QueryBool({
    ...FIRST_LAUNCH,
    description:
      'Whether this is the first start since the installation. true counts as an installation where there is a session; ' +
      'else it is an opening by somebody who has the app',
  })
  isFirstLaunch?: boolean | null;
}

export class ResolveCampaignQuery extends ResolveQuery {
  @Text({
    max: 100,
    description: "The customer, as `cid` of the campaign's address names him",
    example: 'customer-42',
    optional: true,
  })
  cid?: string | null;
}

import { INT64, TEXT_OR_NULL, INT64_OR_NULL, Field } from '../../common/http/api-field';
import { QueryBool, Text } from '../../common/validation/atoms';
import { SESSION_ID } from '../cross-platform/sessions.dto';
import { EndUserFields } from '../sessions/end-user.dto';

const nullable = (description: string, example: string) => Field(description, example, TEXT_OR_NULL);

/** What an app needs to open a link or campaign (docs/concepts/deep-links.md#what-the-app-asks). */
class DeepLinkResponse {
  @nullable('URL scheme of the app', 'exampleshop://')
  scheme!: string | null;

  @nullable(
    'Complete deep link. Navigate to this URL, because joining scheme and path may lose its query; null when the link ' +
      'does not lead into this app, or the app has no scheme',
    'exampleshop://products/42?color=red%26blue',
  )
  deepLinkUrl!: string | null;

  @nullable('Path that the iOS app opens, with its query', '/products/42?color=red%26blue')
  iosDeepLinkPath!: string | null;

  @nullable('Path that the Android app opens, with its query', '/products/42?color=red%26blue')
  androidDeepLinkPath!: string | null;

  @Field('Destination on the web', 'https://shop.example.com/products/42')
  originalUrl!: string;

  @Field('Id of the link; null for a campaign', 42, INT64_OR_NULL)
  urlId!: number | null;

  @nullable('Default type of goals', 'purchase')
  goalType!: string | null;
}

/** The link or campaign behind a token or a fingerprint. */
export class DeepLinkMatchResponse extends DeepLinkResponse {
  @Field('Short code, or alias of the campaign', 'aZ3kQ9x')
  shorturl!: string;

  @Field('Id of the campaign; null for a link', 42, INT64_OR_NULL)
  campaignId!: number | null;

  @Field(
    'Session that the click started; null for a click that does not count',
    '0193a5b0-7c1e-7d3a-9f00-5b8e2d1c4a6f',
    { type: String, format: 'uuid', nullable: true },
  )
  sessionId!: string | null;
}

const FIRST_LAUNCH = { optional: true, example: false } as const;

class OpeningQuery extends EndUserFields {
  @Text({
    max: 200,
    description: 'Your own id of the opening: a call repeated with it within seven days counts once',
    example: '019aa0b4-6d3f-7c1e-9a52-3f8e6d1c2b4b',
    optional: true,
  })
  requestId?: string | null;
}

export class MatchQuery extends OpeningQuery {
  @Text({
    max: 200,
    description: 'Token of the page that opened the app; NOT_FOUND when it was never issued',
    example: 'AZqA3mXQb0y2n1l8c7d6e5f4g3h2i1j0kLmAAAAAABNoPqRsTuE',
  })
  token!: string;

  @QueryBool({
    ...FIRST_LAUNCH,
    description:
      'Whether this is the first start since the installation: true counts as an installation, false as an opening. ' +
      'By default, the first call with a token whose page went to the store counts as an installation, and every other ' +
      'call as an opening',
  })
  isFirstLaunch?: boolean | null;
}

class ResolvedResponse extends DeepLinkResponse {
  @nullable('URL namespace of the app in the address', 'k3v9qx')
  appPath!: string | null;

  @nullable('Destination of phones without the app', 'https://m.shop.example.com/products/42')
  mobileTargetUrl!: string | null;

  @nullable('The customer that `cid` in the campaign’s address names; null for a short link', 'customer-42')
  customerId!: string | null;

  @Field(
    'The session of this opening; null when the call names none, by token or by id',
    '0193a5b0-7c1e-7d3a-9f00-5b8e2d1c4a6f',
    TEXT_OR_NULL,
  )
  sessionId!: string | null;
}

export class ResolvedShortUrlResponse extends ResolvedResponse {
  @Field('Short code', 'aZ3kQ9x')
  shortCode!: string;
}

export class CampaignReference {
  @Field('Id', 7, INT64)
  id!: number;

  @Field('Name', 'Autumn')
  name!: string;

  @Field('Alias', 'autumn')
  alias!: string;
}

export class ResolvedCampaignResponse extends ResolvedResponse {
  @Field('The campaign', undefined, { type: CampaignReference })
  campaign!: CampaignReference;
}

/** Any text is accepted; one that cannot be a code is not found. */
export const word = (description: string, example: string) =>
  Text({ max: 1000, visible: false, description, example });

export class ShortCodePath {
  @word('Short code', 'spring-sale')
  code!: string;
}

export class AppShortCodePath extends ShortCodePath {
  @word('URL namespace of the app, its `path`; NOT_FOUND for any other', 'k3v9qx')
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

export class ResolveQuery extends OpeningQuery {
  @Text({
    optional: true,
    max: 200,
    description:
      'Token of a click on the same link, from `waypost_token` in the URL that opened the app: the session of the click ' +
      'continues in the app. An invalid token is ignored',
    example: 'AZqA3mXQb0y2n1l8c7d6e5f4g3h2i1j0kLmAAAAAABNoPqRsTuE',
  })
  token?: string | null;

  @Text({
    ...SESSION_ID,
    optional: true,
    description:
      'The session of this opening, by an id of your own; an unknown id starts a session. The session reaches ' +
      'DEEP_LINK_RESOLVED and counts for the link. A token takes precedence',
  })
  sessionId?: string | null;

  @QueryBool({
    ...FIRST_LAUNCH,
    description:
      'Whether this is the first start since the installation. true counts as an installation when there is a session; ' +
      'otherwise the call counts as an opening by somebody who has the app',
  })
  isFirstLaunch?: boolean | null;
}

export class ResolveCampaignQuery extends ResolveQuery {
  @Text({
    max: 100,
    description: "The customer that `cid` in the campaign's address names",
    example: 'customer-42',
    optional: true,
  })
  cid?: string | null;
}

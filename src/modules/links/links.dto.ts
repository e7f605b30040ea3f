import { OmitType } from '@nestjs/swagger';
import {
  Alias,
  DateTimeText,
  HttpsUrl,
  Id,
  Int,
  PathId,
  QueryBool,
  Text,
} from '../../common/validation/atoms';
import { SortBy } from '../../common/pagination/pageable';
import { OnlyKnownParameters } from '../../common/validation/known-parameters';
import { NestedList, TextList } from '../../common/validation/lists';
import {
  DESTINATION,
  EXPIRY,
  lastingAlias,
  lastingDomain,
  ListTargetsQuery,
  TargetFields,
} from '../tracked-links/fields/tracked-link-fields.dto';
import { MAX_RULES, MAX_VARIANTS, TargetingRuleFields, VariantFields } from './routing/link-routing.dto';

const optional = true;

/** What links have beyond campaigns. */
class LinkFields extends TargetFields {
  @TextList({
    max: 20,
    length: 50,
    description: 'Tags; white space around them and letter case do not make them different. Null for none',
    example: ['spring', 'newsletter'],
    optional,
  })
  tags?: string[] | null;

  @Text({
    min: 4,
    max: 100,
    description: 'Asked for before the link leads anywhere; never shown again. Null for none',
    example: 'open sesame',
    optional,
  })
  password?: string | null;

  @Int({
    min: 1,
    max: 1_000_000_000,
    description: 'How many visits of people the link lets through before it is used up; null for no limit',
    example: 100,
    optional,
  })
  maxClicks?: number | null;

  @NestedList(() => TargetingRuleFields, {
    max: MAX_RULES,
    description:
      'Destinations by country, device and operating system: the first rule that matches. Null for none',
    optional,
  })
  targeting?: TargetingRuleFields[] | null;

  @NestedList(() => VariantFields, {
    max: MAX_VARIANTS,
    description:
      'Two to ten destinations that visitors are spread over by weight, in the place of the one destination; ' +
      'a visitor stays with his. Null for none',
    example: [
      { url: 'https://shop.example.com/a', weight: 1 },
      { url: 'https://shop.example.com/b', weight: 3 },
    ],
    optional,
  })
  variants?: VariantFields[] | null;
}

export class CreateLinkRequest extends LinkFields {
  @HttpsUrl({ max: 1000, description: DESTINATION, example: 'https://shop.example.com/spring' })
  url!: string;

  @Alias({
    description:
      'Code of your own choice, unique on its domain (ALIAS_TAKEN) and none of the words that the service keeps ' +
      '(RESERVED_ALIAS); without it a random one is made',
    example: 'spring-sale',
    optional,
  })
  customAlias?: string | null;

  @DateTimeText({ description: EXPIRY, example: '2030-12-31 23:59:59', optional })
  expirationDate?: string | null;

  @Id({
    description:
      'Custom domain (VERIFIED or ACTIVE) of the link, else DOMAIN_NOT_USABLE; the default domain when not given',
    example: 1,
    optional,
  })
  customDomainId?: number | null;
}

/**
 * Only supplied fields change. null clears a field that may be empty; originalUrl and showAdPage can't be, so null
 * leaves them as they are.
 */
export class UpdateLinkRequest extends LinkFields {
  @HttpsUrl({ max: 1000, description: DESTINATION, example: 'https://shop.example.com/summer', optional })
  originalUrl?: string | null;

  @DateTimeText({ description: `${EXPIRY}; null clears it`, example: '2030-12-31', optional })
  expirationDate?: string | null;

  @HttpsUrl({
    max: 1000,
    description:
      'The name that the destination has in `POST /urls`; taken as it stands only, else VALIDATION_FAILED: send `originalUrl`',
    example: 'https://shop.example.com/summer',
    optional,
  })
  url?: string | null;

  @DateTimeText({
    description:
      'The name that the expiry has in answers; taken as it stands only, else VALIDATION_FAILED: send `expirationDate`',
    example: null,
    optional,
  })
  expiresAt?: string | null;

  @Alias(lastingAlias)
  customAlias?: string | null;

  @Id(lastingDomain)
  customDomainId?: number | null;
}

export class LinkPath {
  @PathId({ description: 'Id of the link' })
  id!: number;
}

/** Fields that the list can be sorted by. */
const SORT_FIELDS = ['createdAt', 'clickCount', 'title'] as const;

export class ListLinksQuery extends ListTargetsQuery {
  @Text({
    max: 100,
    description:
      'Part of the destination or of the short code, or the address of a link as it was copied: with or without ' +
      'scheme, host, app namespace, query and final slash. Letter case does not count',
    example: 'spring',
    optional,
  })
  keyword?: string;

  @QueryBool({ description: 'true: only links with the ad page', example: true, optional })
  showAdPage?: boolean;

  @Text({
    min: 1,
    max: 50,
    description: 'Only links with this tag; letter case does not count',
    example: 'spring',
    optional,
  })
  tag?: string;

  @SortBy(SORT_FIELDS, {
    description:
      `Order: \`field,direction\` with one of ${SORT_FIELDS.join(', ')}. \`clickCount\` is of all time; letter case ` +
      'does not count in titles, and links without one come last',
    example: 'clickCount,desc',
    default: 'createdAt,desc',
  })
  sort: string = 'createdAt,desc';
}

/** Which links an export holds: those that the list would show on all of its pages. */
@OnlyKnownParameters()
export class ExportLinksQuery extends OmitType(ListLinksQuery, ['page', 'size', 'sort']) {}

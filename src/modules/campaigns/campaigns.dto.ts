import { Alias, DateTimeText, HttpsUrl, Id, PathId, Text } from '../../common/validation/atoms';
import { SortBy } from '../../common/pagination/pageable';
import {
  DESTINATION,
  EXPIRY,
  lastingAlias,
  lastingDomain,
  ListTargetsQuery,
  TargetFields,
} from '../tracked-links/fields/tracked-link-fields.dto';

const optional = true;
const name = { min: 1, max: 50, description: 'Name', example: 'Spring sale' };

export class CreateCampaignRequest extends TargetFields {
  @Text(name)
  name!: string;

  @Alias({
    description:
      'Path of the campaign link, `/c/<alias>`, unique on its domain (ALIAS_TAKEN) and none of the words that the ' +
      'service keeps (RESERVED_ALIAS); random when not given',
    example: 'spring-sale',
    optional,
  })
  alias?: string | null;

  @HttpsUrl({ max: 1000, description: DESTINATION, example: 'https://shop.example.com/spring' })
  originalUrl!: string;

  @DateTimeText({ description: EXPIRY, example: '2030-12-31T23:59:59Z', optional })
  expiresAt?: string | null;

  @Id({
    description:
      'Custom domain (VERIFIED or ACTIVE) of the campaign, else DOMAIN_NOT_USABLE; the default domain when not given',
    example: 1,
    optional,
  })
  customDomainId?: number | null;
}

/**
 * Only supplied fields change. null clears a field that may be empty; name, originalUrl and showAdPage can't be, so
 * null leaves them as they are.
 */
export class UpdateCampaignRequest extends TargetFields {
  @Text({ ...name, optional })
  name?: string | null;

  @HttpsUrl({ max: 1000, description: DESTINATION, example: 'https://shop.example.com/summer', optional })
  originalUrl?: string | null;

  @DateTimeText({ description: `${EXPIRY}; null clears it`, example: '2030-12-31T23:59:59Z', optional })
  expiresAt?: string | null;

  @Alias(lastingAlias)
  alias?: string | null;

  @Id(lastingDomain)
  customDomainId?: number | null;
}

export class CampaignPath {
  @PathId({ description: 'Id of the campaign' })
  id!: number;
}

/** Fields that the list can be sorted by. */
const SORT_FIELDS = ['createdAt', 'updatedAt', 'clickCount', 'name'] as const;

export class ListCampaignsQuery extends ListTargetsQuery {
  @Text({
    max: 100,
    description:
      'Part of the name or of the alias, or the address of a campaign as it was copied, with or without tracker and ' +
      'query. Letter case does not count',
    example: 'spring',
    optional,
  })
  search?: string;

  @SortBy(SORT_FIELDS, {
    description:
      `Order: \`field,direction\` with one of ${SORT_FIELDS.join(', ')}. \`clickCount\` is of all time; letter case ` +
      'does not count in names',
    example: 'clickCount,desc',
    default: 'createdAt,desc',
  })
  sort: string = 'createdAt,desc';
}

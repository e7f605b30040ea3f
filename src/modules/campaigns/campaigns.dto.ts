import { OmitType } from '@nestjs/swagger';
import { Alias, Bool, DateTimeText, DestinationUrl, Id, PathId, Text } from '../../common/validation/atoms';
import { NamedElsewhere, OnlyKnownNames } from '../../common/validation/known-names';
import { SortBy } from '../../common/pagination/pageable';
import {
  DESTINATION,
  EXPIRY,
  findIfExists,
  lastingDomain,
  movedAlias,
  releaseOld,
  savedDomain,
  TrackedLinkFields,
} from '../tracked-links/fields/tracked-link-fields.dto';
import { ListTrackedLinksQuery, SHARED_SORT_FIELDS } from '../tracked-links/list/tracked-link-list.dto';

const optional = true;
const name = { min: 1, max: 50, description: 'Name', example: 'Spring sale' };

const NAMED_ELSEWHERE = {
  url: 'originalUrl',
  expirationDate: 'expiresAt',
  customAlias: 'alias',
};

export class NewCampaignFields extends TrackedLinkFields {
  @Text(name)
  name!: string;

  @Alias({
    description:
      'Path of the campaign link, `/c/<alias>`, unique on its domain (ALIAS_TAKEN) and not a reserved word ' +
      '(RESERVED_ALIAS); random by default',
    example: 'spring-sale',
    optional,
  })
  alias?: string | null;

  @DestinationUrl({ max: 1000, description: DESTINATION, example: 'https://shop.example.com/spring' })
  originalUrl!: string;

  @DateTimeText({ description: EXPIRY, example: '2030-12-31T23:59:59Z', optional })
  expiresAt?: string | null;

  @Id({
    description:
      'Custom domain of the campaign, VERIFIED or ACTIVE (DOMAIN_NOT_USABLE); the default domain when omitted',
    example: 1,
    optional,
  })
  customDomainId?: number | null;
}

@NamedElsewhere(NAMED_ELSEWHERE)
export class CreateCampaignRequest extends NewCampaignFields {
  @Bool(findIfExists('campaign'))
  findIfExists?: boolean | null;
}

/** Creates a campaign, or changes the supplied fields. */
@NamedElsewhere(NAMED_ELSEWHERE)
export class SaveCampaignRequest extends NewCampaignFields {
  @Alias(movedAlias)
  declare alias?: string | null;

  @Bool(releaseOld)
  releaseOld?: boolean | null;

  @Id(savedDomain)
  declare customDomainId?: number | null;
}

/**
 * Only supplied fields change. Null clears optional fields; name, originalUrl and showAdPage are required, so null
 * leaves them unchanged.
 */
@NamedElsewhere(NAMED_ELSEWHERE)
export class UpdateCampaignRequest extends TrackedLinkFields {
  @Text({ ...name, optional })
  name?: string | null;

  @DestinationUrl({
    max: 1000,
    description: DESTINATION,
    example: 'https://shop.example.com/summer',
    optional,
  })
  originalUrl?: string | null;

  @DateTimeText({ description: `${EXPIRY}; null clears it`, example: '2030-12-31T23:59:59Z', optional })
  expiresAt?: string | null;

  @Alias(movedAlias)
  alias?: string | null;

  @Bool(releaseOld)
  releaseOld?: boolean | null;

  @Id(lastingDomain)
  customDomainId?: number | null;
}

export class CampaignPath {
  @PathId({ description: 'Id of the campaign' })
  id!: number;
}

const SORT_FIELDS = [...SHARED_SORT_FIELDS, 'name'] as const;

export class ListCampaignsQuery extends ListTrackedLinksQuery {
  @Text({
    max: 100,
    description:
      'Part of the name or alias, case-insensitive, or the URL of a campaign with or without tracker and query',
    example: 'spring',
    optional,
  })
  search?: string;

  @SortBy(SORT_FIELDS, {
    description:
      `Order: \`field,direction\` with one of ${SORT_FIELDS.join(', ')}. \`clickCount\` covers all time; names and ` +
      'aliases sort case-insensitively; campaigns without an expiry are last',
    example: 'clickCount,desc',
    default: 'createdAt,desc',
  })
  sort: string = 'createdAt,desc';
}

@OnlyKnownNames()
export class ExportCampaignsQuery extends OmitType(ListCampaignsQuery, ['page', 'size']) {}

import { OmitType } from '@nestjs/swagger';
import { Alias, Bool, DateTimeText, DestinationUrl, Id, PathId, Text } from '../../common/validation/atoms';
import { SortBy } from '../../common/pagination/pageable';
import { NamedElsewhere, OnlyKnownNames } from '../../common/validation/known-names';
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

const shownExpiry = {
  description:
    'Name of the expiry in responses; only its current value is accepted, else VALIDATION_FAILED: to change it, send `expirationDate`',
  example: null,
  optional,
};

/** Fields of a new link, except its destination. */
class CreatedLinkFields extends TrackedLinkFields {
  @Alias({
    description:
      'Code of your choice, unique on its domain (else ALIAS_TAKEN) and not a reserved word (else RESERVED_ALIAS); ' +
      'a random code is generated when omitted',
    example: 'spring-sale',
    optional,
  })
  customAlias?: string | null;

  @DateTimeText({ description: EXPIRY, example: '2030-12-31 23:59:59', optional })
  expirationDate?: string | null;

  @Id({
    description:
      'Custom domain of the link, VERIFIED or ACTIVE (else DOMAIN_NOT_USABLE); the default domain when omitted',
    example: 1,
    optional,
  })
  customDomainId?: number | null;
}

export class NewLinkFields extends CreatedLinkFields {
  @DestinationUrl({ max: 1000, description: DESTINATION, example: 'https://shop.example.com/spring' })
  url!: string;
}

@NamedElsewhere({ expiresAt: 'expirationDate', alias: 'customAlias' })
export class CreateLinkRequest extends NewLinkFields {
  @Bool({
    ...findIfExists('link'),
    description: `${findIfExists('link').description}. VALIDATION_FAILED together with a password`,
  })
  findIfExists?: boolean | null;
}

/** Creates a link, or changes the supplied fields. */
@NamedElsewhere({ alias: 'customAlias' })
export class SaveLinkRequest extends CreatedLinkFields {
  @DestinationUrl({
    max: 1000,
    description: `${DESTINATION}. Required to create a link, unless \`originalUrl\` is given`,
    example: 'https://shop.example.com/spring',
    optional,
  })
  url?: string | null;

  @DestinationUrl({
    max: 1000,
    description: 'Another name of `url`, that of responses; both must be equal if both are given',
    example: 'https://shop.example.com/spring',
    optional,
  })
  originalUrl?: string | null;

  @DateTimeText(shownExpiry)
  expiresAt?: string | null;

  @Alias(movedAlias)
  declare customAlias?: string | null;

  @Bool(releaseOld)
  releaseOld?: boolean | null;

  @Id(savedDomain)
  declare customDomainId?: number | null;
}

/**
 * Only supplied fields change. Null clears an optional field, and leaves originalUrl and showAdPage, which are
 * required, unchanged.
 */
@NamedElsewhere({ alias: 'customAlias' })
export class UpdateLinkRequest extends TrackedLinkFields {
  @DestinationUrl({
    max: 1000,
    description: DESTINATION,
    example: 'https://shop.example.com/summer',
    optional,
  })
  originalUrl?: string | null;

  @DateTimeText({ description: `${EXPIRY}; null clears it`, example: '2030-12-31', optional })
  expirationDate?: string | null;

  @DestinationUrl({
    max: 1000,
    description:
      'Name of the destination in `POST /urls`; only its current value is accepted, else VALIDATION_FAILED: to change it, send `originalUrl`',
    example: 'https://shop.example.com/summer',
    optional,
  })
  url?: string | null;

  @DateTimeText(shownExpiry)
  expiresAt?: string | null;

  @Alias(movedAlias)
  customAlias?: string | null;

  @Bool(releaseOld)
  releaseOld?: boolean | null;

  @Id(lastingDomain)
  customDomainId?: number | null;
}

export class LinkPath {
  @PathId({ description: 'Id of the link' })
  id!: number;
}

const SORT_FIELDS = [...SHARED_SORT_FIELDS, 'title', 'name'] as const;

export class ListLinksQuery extends ListTrackedLinksQuery {
  @Text({
    max: 100,
    description:
      'Part of the destination or the short code, ignoring letter case; or a copied short URL, with or without ' +
      'scheme, host, app namespace, query and trailing slash',
    example: 'spring',
    optional,
  })
  keyword?: string;

  @Text({
    max: 100,
    description:
      'Part of the title, the address, the destination or a tag, ignoring letter case; or a copied short URL, as in ' +
      '`keyword`',
    example: 'spring sale',
    optional,
  })
  search?: string;

  @SortBy(SORT_FIELDS, {
    description:
      `Order: \`field,direction\` with one of ${SORT_FIELDS.join(', ')}. \`clickCount\` is the all-time count, \`alias\` ` +
      'the code, `name` the title or else the address. Texts are sorted ignoring letter case; links without a value are last',
    example: 'clickCount,desc',
    default: 'createdAt,desc',
  })
  sort: string = 'createdAt,desc';
}

@OnlyKnownNames()
export class ExportLinksQuery extends OmitType(ListLinksQuery, ['page', 'size']) {}

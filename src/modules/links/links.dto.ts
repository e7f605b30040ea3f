import { Alias, DateTimeText, HttpsUrl, Id, PathId, QueryBool, Text } from '../../common/validation/atoms';
import { EXPIRY, ListTargetsQuery, TargetFields } from '../targets/target-fields.dto';

const optional = true;

export class CreateLinkRequest extends TargetFields {
  @HttpsUrl({ max: 1000, description: 'Destination', example: 'https://shop.example.com/spring' })
  url!: string;

  @Alias({
    description: 'Code of your own choice, unique on its domain; without it a random one is made',
    example: 'spring-sale',
    optional,
  })
  customAlias?: string | null;

  @DateTimeText({ description: EXPIRY, example: '2030-12-31 23:59:59', optional })
  expirationDate?: string | null;

  @Id({
    description: 'Custom domain (VERIFIED or ACTIVE) of the link; the default domain when not given',
    example: 7,
    optional,
  })
  customDomainId?: number | null;
}

/**
 * Only supplied fields change. null clears a field that may be empty; originalUrl and showAdPage can't be, so null
 * leaves them as they are.
 */
export class UpdateLinkRequest extends TargetFields {
  @HttpsUrl({ max: 1000, description: 'Destination', example: 'https://shop.example.com/summer', optional })
  originalUrl?: string | null;

  @DateTimeText({ description: `${EXPIRY}; null clears it`, example: '2030-12-31', optional })
  expirationDate?: string | null;
}

export class LinkPath {
  @PathId({ description: 'Id of the link' })
  id!: number;
}

export class ListLinksQuery extends ListTargetsQuery {
  @Text({
    max: 100,
    description: 'Part of the destination or of the short code; letter case does not count',
    example: 'spring',
    optional,
  })
  keyword?: string;

  @QueryBool({ description: 'true: only links with the ad page', example: true, optional })
  showAdPage?: boolean;
}

import { PageQuery } from '../../../common/pagination/page';
import { DateTimeText, OneOf, PathId, QueryBool, Text } from '../../../common/validation/atoms';
import { RepeatedText } from '../../../common/validation/lists';
import { MAX_TAG_LENGTH, MAX_TAGS } from '../fields/tags';
import { UTM_MAX } from '../../domains/destinations/utm';
import { HEALTH_STATUSES, type HealthStatus } from '../health/tracked-link-health';

const optional = true;
const ARCHIVED = ['true', 'false', 'all'] as const;

/** Value of `customDomainId` in filters that means the default short domain. */
export const ON_DEFAULT_DOMAIN = 'default';

export const SHARED_SORT_FIELDS = ['createdAt', 'updatedAt', 'expiresAt', 'clickCount', 'alias'] as const;

export class ListTrackedLinksQuery extends PageQuery {
  @OneOf(ARCHIVED, {
    description: '`true`: only archived ones; `all`: archived ones too; without it, none of them',
    example: 'all',
    optional,
  })
  archived?: (typeof ARCHIVED)[number];

  @QueryBool({ description: 'Only those whose `enabled` is this', example: true, optional })
  enabled?: boolean;

  @DateTimeText({
    description: 'Created at this time or later; a date means its first second',
    example: '2026-11-01T00:00:00Z',
    optional,
  })
  createdAfter?: string;

  @DateTimeText({
    description: 'Created at this time or earlier; a date means its last second',
    example: '2026-11-30T23:59:59Z',
    optional,
  })
  createdBefore?: string;

  @QueryBool({
    description: 'true: only those that have expired; false: only those that have not, or never will',
    example: false,
    optional,
  })
  expired?: boolean;

  @DateTimeText({
    description: 'Expires at this time or later; a date means its first second',
    example: '2026-12-01T00:00:00Z',
    optional,
  })
  expiresAfter?: string;

  @DateTimeText({
    description: 'Expires at this time or earlier; a date means its last second',
    example: '2026-12-31T23:59:59Z',
    optional,
  })
  expiresBefore?: string;

  @PathId({ description: 'Only those linked with this iOS or Android app', example: 1, optional })
  appId?: number;

  @Text({
    min: 1,
    max: 16,
    pattern: /^(?:default|[1-9]\d{0,15})$/,
    patternText: `must be an id or ${ON_DEFAULT_DOMAIN}`,
    description: `Only those on this custom domain, by its id, or \`${ON_DEFAULT_DOMAIN}\` for the default domain`,
    example: ON_DEFAULT_DOMAIN,
    optional,
  })
  customDomainId?: string;

  @Text({
    min: 1,
    max: UTM_MAX,
    description: 'Only those with exactly this `utmCampaign`',
    example: 'spring-sale',
    optional,
  })
  utmCampaign?: string;

  @PathId({
    description: 'Only those that this user created, with an API key or in the console',
    example: 1,
    optional,
  })
  createdBy?: number;

  @OneOf(HEALTH_STATUSES, {
    description: 'Only those whose destinations are in this state',
    example: 'unhealthy',
    optional,
  })
  health?: HealthStatus;

  @QueryBool({ description: 'true: only those with the ad page', example: true, optional })
  showAdPage?: boolean;

  @RepeatedText({
    max: MAX_TAGS,
    length: MAX_TAG_LENGTH,
    description: 'Only those with this tag, ignoring letter case. Repeatable: those with all of them',
    example: ['spring'],
    optional,
  })
  tag?: string[];
}

/** The filters and order of a list, without paging; what the texts search depends on the kind. */
export type TrackedLinkFilters = Omit<ListTrackedLinksQuery, 'page' | 'size'> & {
  sort: string;
  search?: string;
  keyword?: string;
};

import { TEXT_OR_NULL, INT64, INTEGER, Field } from '../../common/http/api-field';
import { PageQuery } from '../../common/pagination/page';
import { Pageable, SortBy } from '../../common/pagination/pageable';
import { springPageOf } from '../../common/pagination/spring-page';
import { toDateTime } from '../../common/time/format';
import { Bool, HttpsUrl, OneOf, PathId, QueryBool, Text } from '../../common/validation/atoms';
import { type CustomDomain, DOMAIN_STATUSES, type DomainStatus } from './custom-domain.entity';
import type { Collision, SameCodes } from './domain-uses';
import type { DnsRecord } from './checks/domain-check';
import {
  DomainCheckResponse,
  ExpectedRecordResponse,
  toDomainCheckResponse,
  toExpectedRecords,
} from './checks/domain-check.dto';
import type { VerificationRecord } from './checks/verification-records';

const NAME = 'links.example.com';

export class CustomDomainPath {
  @PathId({ description: 'Id of the custom domain' })
  id!: number;
}

const CASE = {
  description:
    'Whether codes and aliases that differ in letter case alone are different ones; default true. If false, `/Sale` ' +
    'and `/sale` are one, and generated codes have only lower-case letters and digits that look unlike one another',
  example: true,
  optional: true,
};

export class CreateCustomDomainRequest {
  @Text({
    max: 255,
    description:
      'Host name with at least two labels; not an address, a wildcard or a host of this service. ' +
      '`<name>.<short domain>` is usable at once',
    example: NAME,
  })
  domainName!: string;

  @Bool(CASE)
  caseSensitiveCodes?: boolean | null;
}

const insteadOf = (description: string, example: string) => ({
  max: 1000,
  description: `${description}, under the rules of a destination; null: a page`,
  example,
  optional: true,
});

/** Only supplied fields change; null clears a redirect. */
export class UpdateCustomDomainRequest {
  @HttpsUrl(insteadOf('Redirect for `/`', 'https://www.example.com/'))
  rootUrl?: string | null;

  @HttpsUrl(insteadOf('Redirect for addresses that are not links', 'https://www.example.com/not-found'))
  notFoundUrl?: string | null;

  @HttpsUrl(
    insteadOf('Redirect for links that have expired or reached their limit', 'https://www.example.com/over'),
  )
  expiredUrl?: string | null;

  @Bool({
    ...CASE,
    description: `${CASE.description}. Null changes nothing. False is CODES_COLLIDE while there are code collisions`,
  })
  caseSensitiveCodes?: boolean | null;
}

export class DeleteDomainQuery {
  @QueryBool({
    description: 'true: deletes the domain even if it has links or campaigns',
    example: true,
    default: false,
  })
  force: boolean = false;
}

const SORT_FIELDS = ['createdAt', 'domainName', 'status', 'id'] as const;
export type DomainSortField = (typeof SORT_FIELDS)[number];

export class ListCustomDomainsQuery extends PageQuery {
  @Text({
    max: 100,
    description: 'Part of the name, case-insensitive',
    example: 'links',
    optional: true,
  })
  search?: string | null;

  @OneOf(DOMAIN_STATUSES, { description: 'Only domains with this status', example: 'ACTIVE', optional: true })
  status?: DomainStatus | null;

  @SortBy(SORT_FIELDS, {
    description: `Sort order: \`field,direction\` with one of ${SORT_FIELDS.join(', ')}`,
    example: 'createdAt,desc',
    default: 'createdAt,desc',
  })
  sort: string = 'createdAt,desc';
}

const text = (description: string, example: string) => Field(description, example, TEXT_OR_NULL);

/** A custom domain in responses (docs/concepts/domains.md#states). */
export class CustomDomainResponse {
  @Field('Id', 4, INT64)
  id!: number;

  @Field('Host name, in lower case and punycode', NAME)
  domainName!: string;

  @Field('User name of the person who added it', 'jane')
  ownerUsername!: string;

  @Field('Status; links can use VERIFIED and ACTIVE domains', 'ACTIVE', { enum: DOMAIN_STATUSES })
  status!: DomainStatus;

  @text(
    'Name of the CNAME that proves the domain; null for a subdomain of the short domain',
    `_waypost.${NAME}`,
  )
  cnameRecordName!: string | null;

  @text(
    'Required value of the CNAME; null for a subdomain of the short domain',
    '0f8fad5bd9cb469fa16570867728950e.verify.go.example.com',
  )
  cnameRecordValue!: string | null;

  @Field("When it was added, `yyyy-MM-dd'T'HH:mm` in UTC", '2026-11-20T08:32')
  createdAt!: string;

  @Field('Whether its deletion was requested', false)
  deletionRequested!: boolean;

  @text(
    "When its deletion was requested, `yyyy-MM-dd'T'HH:mm` in UTC; null if it was not",
    '2026-11-20T08:32',
  )
  deletionRequestedAt!: string | null;

  @text(
    'Why the platform has disabled it, so that its links return 410; null if it is not disabled',
    'Phishing',
  )
  disabledReason!: string | null;

  @text('When its CNAME was found; null if never', '2026-11-20T08:42:00Z')
  verifiedAt!: string | null;

  @text('When the last check started; null if never', '2026-11-20T08:42:00Z')
  lastCheckedAt!: string | null;

  @Field(
    'DNS records that the domain needs; for a subdomain of the short domain, only the one of TRAFFIC',
    undefined,
    { type: ExpectedRecordResponse, isArray: true },
  )
  expectedRecords!: ExpectedRecordResponse[];

  @Field('Result of the last check that has ended; null if none has', undefined, {
    type: DomainCheckResponse,
    nullable: true,
  })
  lastCheck!: DomainCheckResponse | null;

  @text('Since when checks of a verified domain have not found its CNAME; else null', '2026-11-20T08:42:00Z')
  failingSince!: string | null;

  @text('Redirect for `/`; null: a page', 'https://www.example.com/')
  rootUrl!: string | null;

  @text('Redirect for addresses that are not links; null: a page', 'https://www.example.com/not-found')
  notFoundUrl!: string | null;

  @text(
    'Redirect for links that have expired or reached their limit; null: a page',
    'https://www.example.com/over',
  )
  expiredUrl!: string | null;

  @Field('Whether codes and aliases that differ in letter case alone are different ones', true)
  caseSensitiveCodes!: boolean;
}

class CollidingCodeResponse {
  @Field('Id of the link or campaign', 4821, INT64)
  id!: number;

  @Field('Its code or alias, or a former one that still leads to it', 'Sale')
  code!: string;
}

class CodeCollisionResponse implements Collision {
  @Field('Kind of both; codes of links and aliases of campaigns do not collide', 'link', {
    enum: ['link', 'campaign'],
  })
  kind!: 'link' | 'campaign';

  @Field('The codes that would be one', undefined, { type: CollidingCodeResponse, isArray: true })
  codes!: CollidingCodeResponse[];
}

export class CodeCollisionsResponse implements SameCodes {
  @Field('Number of collisions', 1, INTEGER)
  total!: number;

  @Field('The first 100, those of links before those of campaigns', undefined, {
    type: CodeCollisionResponse,
    isArray: true,
  })
  collisions!: CodeCollisionResponse[];
}

export class CustomDomainSpringPage extends springPageOf(
  CustomDomainResponse,
  'CustomDomainSpringPageItems',
) {
  @Field('Number of items on this page', 1, INTEGER)
  numberOfElements!: number;

  @Field('Whether the page is empty', false)
  empty!: boolean;

  @Field('The requested page', undefined, { type: Pageable })
  pageable!: Pageable;
}

/**
 * @param record the CNAME that verifies the domain
 * @param traffic the record that routes its visitors to this service
 */
export function toCustomDomainResponse(
  domain: CustomDomain,
  record: VerificationRecord | null,
  traffic: DnsRecord,
): CustomDomainResponse {
  const { id, domainName, ownerUsername, status, deletionRequestedAt, disabledReason } = domain;
  return {
    id,
    domainName,
    ownerUsername,
    status,
    cnameRecordName: record?.name ?? null,
    cnameRecordValue: record?.value ?? null,
    createdAt: toMinute(domain.createdAt),
    deletionRequested: deletionRequestedAt !== null,
    deletionRequestedAt: deletionRequestedAt && toMinute(deletionRequestedAt),
    disabledReason,
    verifiedAt: toDateTime(domain.verifiedAt),
    lastCheckedAt: toDateTime(domain.lastCheckedAt),
    expectedRecords: toExpectedRecords(record, traffic),
    lastCheck: domain.lastCheck && toDomainCheckResponse(domain.lastCheck),
    failingSince: toDateTime(domain.failingSince),
    rootUrl: domain.rootUrl,
    notFoundUrl: domain.notFoundUrl,
    expiredUrl: domain.expiredUrl,
    caseSensitiveCodes: domain.caseSensitiveCodes,
  };
}

function toMinute(date: Date): string {
  return date.toISOString().slice(0, 16);
}

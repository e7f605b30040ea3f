import { DATE_TIME, INTEGER_OR_NULL, TEXTS, listOf, Field } from '../../common/http/api-field';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import {
  type TrackedLinkContext,
  TrackedLinkResponse,
  toTrackedLinkResponse,
} from '../tracked-links/fields/tracked-link.dto';
import type { Link } from './link.entity';
import { TargetingRuleResponse, VariantResponse } from '../tracked-links/routing/routing.dto';
import { trackedLinkAddress } from '../tracked-links/tracked-link-address';
import type { TrackedLinkPlace } from '../tracked-links/tracked-link-places';

/** A short link in responses (docs/concepts/links.md#addresses). */
export class ShortUrlResponse extends TrackedLinkResponse {
  @Field(
    'Complete short URL; on a custom domain only the code: `https://<customDomainName>/<shortUrl>`. `link` is always complete',
    'https://go.example.com/aZ3kQ9x',
  )
  shortUrl!: string;

  @Field('Last change, UTC', '2026-11-20T08:32:00Z', DATE_TIME)
  updatedAt!: string;

  @Field('Tags', ['spring', 'newsletter'], TEXTS)
  tags!: string[];

  @Field('Whether visitors must enter a password', false)
  hasPassword!: boolean;

  @Field(
    'Number of visits by people after which the link is used up; null without a limit',
    100,
    INTEGER_OR_NULL,
  )
  maxClicks!: number | null;

  @Field('Visits used up so far; null without a limit', 42, INTEGER_OR_NULL)
  usedClicks!: number | null;

  @Field(
    'Destinations by country, device and operating system; the first rule that matches applies',
    undefined,
    listOf(TargetingRuleResponse),
  )
  targeting!: TargetingRuleResponse[];

  @Field('Destinations among which visitors are distributed by weight', undefined, listOf(VariantResponse))
  variants!: VariantResponse[];
}

export class ShortUrlPage extends pageOf(ShortUrlResponse, 'ShortUrlPage') {}

export function toShortUrlResponse(link: Link, context: TrackedLinkContext): ShortUrlResponse {
  const { id, ...shared } = toTrackedLinkResponse('link', link, context);
  return {
    id,
    shortUrl: shortUrl(link.code, context),
    ...shared,
    updatedAt: toDateTime(link.updatedAt),
    tags: link.tags,
    hasPassword: link.passwordHash !== null,
    maxClicks: link.maxClicks,
    usedClicks: link.maxClicks === null ? null : link.usedClicks,
    targeting: link.targeting ?? [],
    variants: link.variants ?? [],
  };
}

/** The field `shortUrl`: the complete URL on the default domain, only the code on a custom one. */
function shortUrl(code: string, place: TrackedLinkPlace): string {
  return place.domainName === null ? trackedLinkAddress('link', code, place) : code;
}

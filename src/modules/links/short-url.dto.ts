import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import {
  type TrackedLinkContext,
  TrackedLinkResponse,
  toTrackedLinkResponse,
} from '../tracked-links/fields/tracked-link.dto';
import type { Link } from './link.entity';
import { shortUrl } from './link-address';
import { TargetingRuleResponse, VariantResponse } from './routing/link-routing.dto';

/** A short link in responses (docs/concepts/links.md#addresses). */
export class ShortUrlResponse extends TrackedLinkResponse {
  @ApiProperty({
    description:
      'Complete short URL; on a custom domain only the code: `https://<customDomainName>/<shortUrl>`. `link` is always complete',
    example: 'https://go.example.com/aZ3kQ9x',
  })
  shortUrl!: string;

  @ApiProperty({ format: 'date-time', description: 'Last change, UTC', example: '2026-11-20T08:32:00Z' })
  updatedAt!: string;

  @ApiProperty({ type: String, isArray: true, description: 'Tags', example: ['spring', 'newsletter'] })
  tags!: string[];

  @ApiProperty({ description: 'Whether visitors must enter a password', example: false })
  hasPassword!: boolean;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Number of visits by people after which the link is used up; null without a limit',
    example: 100,
  })
  maxClicks!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Visits used up so far; null without a limit',
    example: 42,
  })
  usedClicks!: number | null;

  @ApiProperty({
    type: TargetingRuleResponse,
    isArray: true,
    description: 'Destinations by country, device and operating system; the first rule that matches applies',
  })
  targeting!: TargetingRuleResponse[];

  @ApiProperty({
    type: VariantResponse,
    isArray: true,
    description: 'Destinations among which visitors are distributed by weight',
  })
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

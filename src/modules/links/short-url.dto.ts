import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../../common/pagination/page';
import {
  type TrackedLinkContext,
  TrackedLinkResponse,
  toTrackedLinkResponse,
} from '../tracked-links/fields/tracked-link.dto';
import type { Link } from './link.entity';
import { shortUrl } from './link-address';
import { TargetingRuleResponse, VariantResponse } from './routing/link-routing.dto';

/** A short link, as the API shows it (docs/concepts/links.md#addresses). */
export class ShortUrlResponse extends TrackedLinkResponse {
  @ApiProperty({
    description:
      'Complete short URL; on a custom domain the code alone: `https://<customDomainName>/<shortUrl>`. `link` is complete on any domain',
    example: 'https://go.example.com/aZ3kQ9x',
  })
  shortUrl!: string;

  @ApiProperty({ type: String, isArray: true, description: 'Tags', example: ['spring', 'newsletter'] })
  tags!: string[];

  @ApiProperty({ description: 'Whether a password is asked for', example: false })
  hasPassword!: boolean;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'How many visits of people are let through; null: all',
    example: 100,
  })
  maxClicks!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'How many of them were; null without a limit',
    example: 42,
  })
  usedClicks!: number | null;

  @ApiProperty({
    type: TargetingRuleResponse,
    isArray: true,
    description: 'Destinations by country, device and operating system: the first rule that matches',
  })
  targeting!: TargetingRuleResponse[];

  @ApiProperty({
    type: VariantResponse,
    isArray: true,
    description: 'Destinations that visitors are spread over',
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
    tags: link.tags,
    hasPassword: link.passwordHash !== null,
    maxClicks: link.maxClicks,
    usedClicks: link.maxClicks === null ? null : link.usedClicks,
    targeting: link.targeting ?? [],
    variants: link.variants ?? [],
  };
}

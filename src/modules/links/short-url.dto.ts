import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import type { TargetPlace } from '../targets/target-places';
import type { Link } from './link.entity';
import { shortUrl } from './link-address';
import { TargetingRuleResponse, VariantResponse } from './link-routing.dto';

const text = (description: string, example: string) =>
  ApiProperty({ type: String, nullable: true, description, example });
const appId = (description: string, example: number) =>
  ApiProperty({ type: 'integer', format: 'int64', nullable: true, description, example });

/** A short link, as the API shows it (doc 1 §2). */
export class ShortUrlResponse {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id', example: 42 })
  id!: number;

  @ApiProperty({
    description:
      'Complete short URL; on a custom domain the code alone: `https://<customDomainName>/<shortUrl>`',
    example: 'https://go.example.com/aZ3kQ9x',
  })
  shortUrl!: string;

  @ApiProperty({ description: 'Destination', example: 'https://shop.example.com/spring' })
  originalUrl!: string;

  @text('Title', 'Spring sale')
  title!: string | null;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Clicks of people', example: 0 })
  clickCount!: number;

  @ApiProperty({ format: 'date-time', description: 'Creation, UTC', example: '2026-11-20T08:32:00Z' })
  createdAt!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Expiry, UTC; null without one',
    example: '2030-12-31T23:59:59Z',
  })
  expiresAt!: string | null;

  @ApiProperty({ description: 'Whether the ad page is shown before the destination', example: false })
  showAdPage!: boolean;

  @text('Open Graph title', 'Spring sale')
  ogTitle!: string | null;

  @text('Open Graph description', 'Everything 20 % off')
  ogDescription!: string | null;

  @text('Open Graph image', 'https://shop.example.com/sale.png')
  ogImageUrl!: string | null;

  @appId('Linked iOS app', 3)
  iosAppId!: number | null;

  @appId('Linked Android app', 4)
  androidAppId!: number | null;

  @text('utm_source', 'newsletter')
  utmSource!: string | null;

  @text('utm_medium', 'email')
  utmMedium!: string | null;

  @text('utm_term', 'shoes')
  utmTerm!: string | null;

  @text('utm_content', 'button')
  utmContent!: string | null;

  @text('Custom domain; null on the default domain', 'links.example.com')
  customDomainName!: string | null;

  @text('Path that the iOS app opens', '/products/42')
  iosDeepLinkPath!: string | null;

  @text('Path that the Android app opens', '/products/42')
  androidDeepLinkPath!: string | null;

  @text('Where phones without the app go', 'https://m.shop.example.com/spring')
  mobileTargetUrl!: string | null;

  @text('Conversion goal', 'purchase')
  goalType!: string | null;

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

/** What a short URL shows that is not in the link's own row. */
export interface ShortUrlContext extends TargetPlace {
  clickCount: number;
}

export function toShortUrlResponse(link: Link, context: ShortUrlContext): ShortUrlResponse {
  return {
    id: link.id,
    shortUrl: shortUrl(link.code, context),
    originalUrl: link.originalUrl,
    title: link.title,
    clickCount: context.clickCount,
    createdAt: toDateTime(link.createdAt),
    expiresAt: toDateTime(link.expiresAt),
    showAdPage: link.showAdPage,
    ogTitle: link.ogTitle,
    ogDescription: link.ogDescription,
    ogImageUrl: link.ogImageUrl,
    iosAppId: link.iosAppId,
    androidAppId: link.androidAppId,
    utmSource: link.utmSource,
    utmMedium: link.utmMedium,
    utmTerm: link.utmTerm,
    utmContent: link.utmContent,
    customDomainName: context.domainName,
    iosDeepLinkPath: link.iosDeepLinkPath,
    androidDeepLinkPath: link.androidDeepLinkPath,
    mobileTargetUrl: link.mobileTargetUrl,
    goalType: link.goalType,
    tags: link.tags,
    hasPassword: link.passwordHash !== null,
    maxClicks: link.maxClicks,
    usedClicks: link.maxClicks === null ? null : link.usedClicks,
    targeting: link.targeting ?? [],
    variants: link.variants ?? [],
  };
}

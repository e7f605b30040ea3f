import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import type { TargetPlace } from '../targets/target-places';
import type { Campaign } from './campaign.entity';

const text = (description: string, example: string) =>
  ApiProperty({ type: String, nullable: true, description, example });
const appId = (description: string, example: number) =>
  ApiProperty({ type: 'integer', format: 'int64', nullable: true, description, example });
const dateTime = (description: string) =>
  ApiProperty({ format: 'date-time', description: `${description}, UTC`, example: '2026-11-20T08:32:00Z' });

/** A campaign, as the API shows it (doc 1 §2). Its link is `https://<domain>/c/<alias>`. */
export class CampaignResponse {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id', example: 12 })
  id!: number;

  @ApiProperty({ description: 'Name', example: 'Spring sale' })
  name!: string;

  @ApiProperty({ description: 'Path of the link: `https://<domain>/c/<alias>`', example: 'spring-sale' })
  alias!: string;

  @ApiProperty({ description: 'Destination', example: 'https://shop.example.com/spring' })
  originalUrl!: string;

  @dateTime('Creation')
  createdAt!: string;

  @dateTime('Last change')
  updatedAt!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Expiry, UTC; null without one',
    example: '2030-12-31T23:59:59Z',
  })
  expiresAt!: string | null;

  @appId('Linked iOS app', 3)
  iosAppId!: number | null;

  @appId('Linked Android app', 4)
  androidAppId!: number | null;

  @text('Name of the iOS app', 'Shop')
  iosAppName!: string | null;

  @text('Icon of the iOS app', 'https://shop.example.com/icon.png')
  iosAppIconUrl!: string | null;

  @text('Name of the Android app', 'Shop')
  androidAppName!: string | null;

  @text('Icon of the Android app', 'https://shop.example.com/icon.png')
  androidAppIconUrl!: string | null;

  @text('User who made it; null when the platform did', 'marketing')
  username!: string | null;

  @text('utm_source', 'newsletter')
  utmSource!: string | null;

  @text('utm_medium', 'email')
  utmMedium!: string | null;

  @text('utm_term', 'shoes')
  utmTerm!: string | null;

  @text('utm_content', 'button')
  utmContent!: string | null;

  @text('URL namespace of the linked app', 'shop')
  appPath!: string | null;

  @text('Custom domain; null on the default domain', 'links.example.com')
  customDomainName!: string | null;

  @text('Path that the iOS app opens', '/products/42')
  iosDeepLinkPath!: string | null;

  @text('Path that the Android app opens', '/products/42')
  androidDeepLinkPath!: string | null;

  @text('Where phones without the app go', 'https://m.shop.example.com/spring')
  mobileTargetUrl!: string | null;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Clicks of people', example: 0 })
  clickCount!: number;

  @text('Conversion goal', 'purchase')
  goalType!: string | null;

  @text('Title', 'Spring sale')
  title!: string | null;

  @text('Open Graph title', 'Spring sale')
  ogTitle!: string | null;

  @text('Open Graph description', 'Everything 20 % off')
  ogDescription!: string | null;

  @text('Open Graph image', 'https://shop.example.com/sale.png')
  ogImageUrl!: string | null;

  @ApiProperty({ description: 'Whether the ad page is shown before the destination', example: false })
  showAdPage!: boolean;
}

export class CampaignPage extends pageOf(CampaignResponse, 'CampaignPage') {}

interface LinkedApp {
  appName: string;
  appIconUrl: string | null;
}

/** What a campaign shows that is not in its own row. */
export interface CampaignContext extends TargetPlace {
  clickCount: number;
  iosApp: LinkedApp | null;
  androidApp: LinkedApp | null;
}

export function toCampaignResponse(campaign: Campaign, context: CampaignContext): CampaignResponse {
  const { iosApp, androidApp } = context;
  return {
    id: campaign.id,
    name: campaign.name,
    alias: campaign.code,
    originalUrl: campaign.originalUrl,
    createdAt: toDateTime(campaign.createdAt),
    updatedAt: toDateTime(campaign.updatedAt),
    expiresAt: toDateTime(campaign.expiresAt),
    iosAppId: campaign.iosAppId,
    androidAppId: campaign.androidAppId,
    iosAppName: iosApp?.appName ?? null,
    iosAppIconUrl: iosApp?.appIconUrl ?? null,
    androidAppName: androidApp?.appName ?? null,
    androidAppIconUrl: androidApp?.appIconUrl ?? null,
    username: campaign.username,
    utmSource: campaign.utmSource,
    utmMedium: campaign.utmMedium,
    utmTerm: campaign.utmTerm,
    utmContent: campaign.utmContent,
    appPath: context.appPath,
    customDomainName: context.domainName,
    iosDeepLinkPath: campaign.iosDeepLinkPath,
    androidDeepLinkPath: campaign.androidDeepLinkPath,
    mobileTargetUrl: campaign.mobileTargetUrl,
    clickCount: context.clickCount,
    goalType: campaign.goalType,
    title: campaign.title,
    ogTitle: campaign.ogTitle,
    ogDescription: campaign.ogDescription,
    ogImageUrl: campaign.ogImageUrl,
    showAdPage: campaign.showAdPage,
  };
}

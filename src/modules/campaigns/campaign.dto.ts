import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import {
  type TargetContext,
  TargetResponse,
  toTargetResponse,
} from '../tracked-links/fields/tracked-link.dto';
import type { Campaign } from './campaign.entity';

const text = (description: string, example: string) =>
  ApiProperty({ type: String, nullable: true, description, example });

/** A campaign, as the API shows it. */
export class CampaignResponse extends TargetResponse {
  @ApiProperty({ description: 'Name', example: 'Spring sale' })
  name!: string;

  @ApiProperty({
    description: 'Alias: `https://<domain>/c/<alias>` leads to it, as does `link`',
    example: 'spring-sale',
  })
  alias!: string;

  @ApiProperty({ format: 'date-time', description: 'Last change, UTC', example: '2026-11-20T08:32:00Z' })
  updatedAt!: string;

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

  @text('URL namespace of the linked app', 'shop')
  appPath!: string | null;
}

export class CampaignPage extends pageOf(CampaignResponse, 'CampaignPage') {}

interface LinkedApp {
  appName: string;
  appIconUrl: string | null;
}

/** What a campaign shows that is not in its own row. */
export interface CampaignContext extends TargetContext {
  iosApp: LinkedApp | null;
  androidApp: LinkedApp | null;
}

export function toCampaignResponse(campaign: Campaign, context: CampaignContext): CampaignResponse {
  const { iosApp, androidApp } = context;
  const { id, ...shared } = toTargetResponse('campaign', campaign, context);
  return {
    id,
    name: campaign.name,
    alias: campaign.code,
    ...shared,
    updatedAt: toDateTime(campaign.updatedAt),
    iosAppName: iosApp?.appName ?? null,
    iosAppIconUrl: iosApp?.appIconUrl ?? null,
    androidAppName: androidApp?.appName ?? null,
    androidAppIconUrl: androidApp?.appIconUrl ?? null,
    username: campaign.username,
    appPath: context.appPath,
  };
}

import { TEXT_OR_NULL, Field } from '../../common/http/api-field';
import { pageOf } from '../../common/pagination/page';
import {
  type TrackedLinkContext,
  TrackedLinkResponse,
  toTrackedLinkResponse,
} from '../tracked-links/fields/tracked-link.dto';
import type { Campaign } from './campaign.entity';

export class CampaignResponse extends TrackedLinkResponse {
  @Field('Name', 'Spring sale')
  name!: string;

  @Field('Alias: the campaign is at `https://<domain>/c/<alias>` as well as at `link`', 'spring-sale')
  alias!: string;

  @Field('Name of the iOS app', 'Shop', TEXT_OR_NULL)
  iosAppName!: string | null;

  @Field('Icon of the iOS app', 'https://shop.example.com/icon.png', TEXT_OR_NULL)
  iosAppIconUrl!: string | null;

  @Field('Name of the Android app', 'Shop', TEXT_OR_NULL)
  androidAppName!: string | null;

  @Field('Icon of the Android app', 'https://shop.example.com/icon.png', TEXT_OR_NULL)
  androidAppIconUrl!: string | null;

  @Field('User who created it; null when the platform did', 'marketing', TEXT_OR_NULL)
  username!: string | null;

  @Field('URL namespace of the linked app', 'shop', TEXT_OR_NULL)
  appPath!: string | null;
}

export class CampaignPage extends pageOf(CampaignResponse, 'CampaignPage') {}

interface LinkedApp {
  appName: string;
  appIconUrl: string | null;
}

/** Response fields that are not columns of the campaign. */
export interface CampaignContext extends TrackedLinkContext {
  iosApp: LinkedApp | null;
  androidApp: LinkedApp | null;
}

export function toCampaignResponse(campaign: Campaign, context: CampaignContext): CampaignResponse {
  const { iosApp, androidApp } = context;
  const { id, ...shared } = toTrackedLinkResponse('campaign', campaign, context);
  return {
    id,
    name: campaign.name,
    alias: campaign.code,
    ...shared,
    iosAppName: iosApp?.appName ?? null,
    iosAppIconUrl: iosApp?.appIconUrl ?? null,
    androidAppName: androidApp?.appName ?? null,
    androidAppIconUrl: androidApp?.appIconUrl ?? null,
    username: campaign.username,
    appPath: context.appPath,
  };
}

import { Injectable } from '@nestjs/common';
import { DirectoryStores } from '../tracked-links/cache/tracked-link-stores';
import {
  type CachedTarget,
  type StoredTarget,
  TargetDirectory,
} from '../tracked-links/cache/tracked-link-cache';
import type { Campaign } from './campaign.entity';

type StoredCampaign = StoredTarget & Pick<Campaign, 'name'>;

/** A campaign as redirecting knows it; `code` is its alias. */
export type CampaignTarget = CachedTarget<'campaign', StoredCampaign>;

/** Finds campaigns by domain and alias. */
@Injectable()
export class CampaignDirectory extends TargetDirectory<'campaign', StoredCampaign> {
  constructor(stores: DirectoryStores) {
    super({ kind: 'campaign', table: 'campaigns', code: 'alias', more: ['name'] }, stores);
  }
}

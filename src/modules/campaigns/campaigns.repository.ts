import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DomainUses } from '../domains/domain-uses';
import { type Counted, TrackedLinksRepository } from '../tracked-links/tracked-links.repository';
import { Campaign } from './campaign.entity';
import { Database } from '../../infrastructure/database/database';

export type CountedCampaign = Counted<Campaign>;

@Injectable()
export class CampaignsRepository extends TrackedLinksRepository<Campaign> {
  constructor(
    @InjectRepository(Campaign) campaigns: Repository<Campaign>,
    database: Database,
    uses: DomainUses,
  ) {
    super('campaign', campaigns, database);
    uses.register(this);
  }
}

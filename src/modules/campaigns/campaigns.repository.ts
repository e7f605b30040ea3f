import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { PreparedStatements } from '../../infrastructure/database/prepared-statements';
import { DomainUses } from '../domains/domain-uses';
import { type Counted, TargetRows } from '../tracked-links/tracked-links.repository';
import { Campaign } from './campaign.entity';

export type CountedCampaign = Counted<Campaign>;

/** The rows of `campaigns`. */
@Injectable()
export class CampaignsRepository extends TargetRows<Campaign> {
  constructor(
    @InjectRepository(Campaign) campaigns: Repository<Campaign>,
    statements: PreparedStatements,
    uses: DomainUses,
  ) {
    super('campaign', campaigns, statements);
    uses.register(this);
  }
}

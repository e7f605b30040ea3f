import { Injectable } from '@nestjs/common';
import { Database } from '../../infrastructure/database/database';
import { TrackedLinkLimit } from '../tracked-links/tracked-link-limit';

const USAGE = {
  name: 'campaigns.usage',
  text: 'SELECT count(*)::float8 AS count FROM campaigns WHERE organization_id = $1 AND deleted_at IS NULL',
};

@Injectable()
export class CampaignLimit extends TrackedLinkLimit {
  constructor(database: Database) {
    super('campaigns', USAGE, database);
  }
}

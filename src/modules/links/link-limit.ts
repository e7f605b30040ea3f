import { Injectable } from '@nestjs/common';
import { Database } from '../../infrastructure/database/database';
import { TrackedLinkLimit } from '../tracked-links/tracked-link-limit';

const USAGE = {
  name: 'link_counts.usage',
  text: 'SELECT coalesce(sum(links), 0)::float8 AS count FROM link_counts WHERE organization_id = $1',
};

@Injectable()
export class LinkLimit extends TrackedLinkLimit {
  constructor(database: Database) {
    super('links', USAGE, database);
  }
}

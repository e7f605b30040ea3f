import { Injectable } from '@nestjs/common';
import type { Made } from '../../access/organizations/room';
import { Clock } from '../../common/time/clock';
import type { Tx } from '../../infrastructure/database/database';

/** Counts an organization's resources that are created one by one. */
@Injectable()
export class MadeQuery {
  constructor(private readonly clock: Clock) {}

  async run(tx: Tx, organizationId: number): Promise<Record<Made, number>> {
    const [row] = await tx.query<Record<Made, number>>(COUNT, [organizationId, this.clock.date()]);
    if (!row) throw new Error('The statement returned no row');
    return row;
  }
}

const ROWS: Readonly<Record<Made, string>> = {
  apps: 'apps WHERE deleted_at IS NULL AND',
  customDomains: 'custom_domains WHERE deleted_at IS NULL AND',
  campaigns: 'campaigns WHERE deleted_at IS NULL AND',
  contactGroups: 'contact_groups WHERE',
  apiKeys: 'api_keys WHERE',
  users: 'users WHERE',
  invitations: 'invitations WHERE expires_at > $2 AND',
  allowListEntries: 'ip_allow_list WHERE',
};

const COUNT = `SELECT ${Object.entries(ROWS)
  .map(([name, rows]) => `(SELECT count(*)::int FROM ${rows} organization_id = $1) AS "${name}"`)
  .join(', ')}`;

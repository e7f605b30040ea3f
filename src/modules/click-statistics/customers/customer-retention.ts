import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../../infrastructure/database/database';
import { forEachSettled } from '../../../common/for-each-settled';
import { deleteOldRows, type OldRows } from '../old-rows';
import { lockCustomerSums } from './customer-sums';

/** Campaigns of an organization, as an array in Postgres's notation. */
interface Campaigns {
  organizationId: number;
  campaignIds: string;
}

/** Deletes clicks by customId past the organization's retention, and the customIds that have none left. */
@Injectable()
export class CustomerRetention {
  private readonly logger = new Logger(CustomerRetention.name);

  constructor(private readonly database: Database) {}

  /** @param until time before which the organizations' clicks are past their retention @param chunk in rows */
  async deleteOld(organizationIds: readonly number[], until: Date, chunk: number): Promise<void> {
    const due = await this.database.slow<Campaigns>(CAMPAIGNS, [organizationIds, until]);
    await forEachSettled(due, (each) => this.deleteSums(each, until, chunk), {
      logger: this.logger,
      what: 'Deletion of old sums by customId',
    });
    for (const rows of [OLD_DAYS, OLD_CUSTOMERS]) {
      await deleteOldRows(
        (sql, parameters) => this.database.slow(sql, parameters),
        rows,
        [organizationIds, until],
        chunk,
      );
    }
  }

  private async deleteSums(
    { organizationId, campaignIds }: Campaigns,
    until: Date,
    chunk: number,
  ): Promise<void> {
    const locked = (sql: string, parameters: readonly unknown[]) =>
      this.database.write(async (tx) => {
        await lockCustomerSums(tx, organizationId);
        return tx.slow(sql, parameters);
      });
    for (const rows of [OLD_ADDITIONS, OLD_SUMS]) {
      await deleteOldRows(locked, rows, [organizationId, until, campaignIds], chunk);
    }
  }
}

const FIRST_DAY = `($2::timestamptz AT TIME ZONE 'UTC')::date`;

const CAMPAIGNS = `
  SELECT organization_id AS "organizationId", array_agg(campaign_id)::text AS "campaignIds"
    FROM (SELECT organization_id, campaign_id, day FROM click_user_adds
           UNION SELECT organization_id, campaign_id, day FROM click_user_sums) AS stored
   WHERE organization_id = ANY($1::bigint[]) AND day < ${FIRST_DAY}
   GROUP BY organization_id`;

const OWN = 'r.organization_id = $1 AND r.campaign_id = ANY($3::bigint[])';

// The last sum before the retained range stays with its additions, because it is subtracted from later sums.
const LAST_SUM_BEFORE = `
  (SELECT max(b.day) FROM click_user_sums b
    WHERE b.organization_id = r.organization_id AND b.campaign_id = r.campaign_id AND b.day < ${FIRST_DAY})`;

const OLD_ADDITIONS: OldRows = {
  table: 'click_user_adds',
  key: 'id, organization_id',
  isOld: `${OWN} AND r.day < ${FIRST_DAY}
    AND (NOT EXISTS (SELECT FROM click_user_sums s
                      WHERE s.organization_id = r.organization_id AND s.campaign_id = r.campaign_id)
         OR (r.folded AND r.day <= ${LAST_SUM_BEFORE}))`,
};

const OLD_SUMS: OldRows = {
  table: 'click_user_sums',
  key: 'organization_id, campaign_id, day',
  isOld: `${OWN} AND r.day < ${LAST_SUM_BEFORE}`,
};

const OLD_DAYS: OldRows = {
  table: 'click_user_days',
  key: 'organization_id, campaign_id, user_no, day, slot',
  isOld: `r.organization_id = ANY($1::bigint[]) AND r.day < ${FIRST_DAY}`,
};

const OLD_CUSTOMERS: OldRows = {
  table: 'click_users',
  key: 'organization_id, campaign_id, custom_id',
  isOld: `
    r.organization_id = ANY($1::bigint[]) AND r.seen_on < ${FIRST_DAY}
    AND NOT EXISTS (SELECT FROM click_user_days d
                     WHERE d.organization_id = r.organization_id AND d.campaign_id = r.campaign_id
                       AND d.user_no = r.user_no)`,
};

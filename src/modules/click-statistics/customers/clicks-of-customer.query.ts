import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND } from '../../clicks/click';
import { Database, type Tx } from '../../../infrastructure/database/database';

/** A click in a person's export. */
interface CustomerClick {
  campaignId: number;
  clickedAt: Date;
  customId: string;
  dimensions: string[];
}

/** Clicks of campaigns whose `cid` identifies a person. */
@Injectable()
export class ClicksOfCustomer {
  constructor(private readonly database: Database) {}

  find(organizationId: number, customId: string): Promise<CustomerClick[]> {
    return this.database.reportRows<CustomerClick>(organizationId, FIND, [organizationId, customId]);
  }

  /**
   * Replaces the customId by a constant pseudonym, so that counts of clicks and customers are preserved. @returns the
   * pseudonym
   */
  async forget(tx: Tx, organizationId: number, customId: string): Promise<string> {
    const other = `erased-${randomUUID()}`;
    for (const statement of FORGET) await tx.query(statement, [organizationId, customId, other]);
    return other;
  }
}

/** Limited to campaigns that the person has clicked. */
const OF_CUSTOMER = `
  organization_id = $1 AND custom_id = $2 AND kind = ${TRACKED_LINK_KIND.campaign}
  AND tracked_link_id IN (SELECT campaign_id FROM campaign_customers
                     WHERE organization_id = $1 AND custom_id = $2
                       AND campaign_id IN (SELECT id FROM campaigns WHERE organization_id = $1))`;

const FIND = `
  SELECT tracked_link_id AS "campaignId", clicked_at AS "clickedAt", custom_id AS "customId", dimensions
    FROM clicks WHERE ${OF_CUSTOMER} ORDER BY clicked_at, id`;

const FORGET = [
  `UPDATE clicks SET custom_id = $3 WHERE ${OF_CUSTOMER}`,
  'UPDATE campaign_customers SET custom_id = $3 WHERE organization_id = $1 AND custom_id = $2',
];

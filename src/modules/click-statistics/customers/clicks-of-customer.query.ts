import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND } from '../../clicks/click';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';

/** A click as a person's export shows it. */
interface CustomerClick {
  campaignId: number;
  clickedAt: Date;
  customId: string;
  dimensions: string[];
}

/** The clicks of campaigns that name a person by `cid`. */
@Injectable()
export class ClicksOfCustomer {
  constructor(private readonly database: Database) {}

  find(organizationId: number, customId: string): Promise<CustomerClick[]> {
    return this.database.reportRows<CustomerClick>(organizationId, FIND, [organizationId, customId]);
  }

  /** Clicks get a customId that says nothing, the same one for all, so that counts of clicks and customers stay. @returns it */
  async forget(tx: Tx, organizationId: number, customId: string): Promise<string> {
    const other = `erased-${randomUUID()}`;
    for (const statement of FORGET) await tx.query(statement, [organizationId, customId, other]);
    return other;
  }
}

/** Only campaigns that the person has clicked are searched. */
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

import { Injectable } from '@nestjs/common';
import { Database } from '../../infrastructure/database/database';
import { type Concern, examplesOf, type Found, toFound } from './concern';

/** Custom domains that do not work, or will soon be revoked. */
@Injectable()
export class DomainAttentionQuery {
  constructor(private readonly database: Database) {}

  async run(organizationId: number): Promise<Found> {
    return toFound(
      await this.database.reportRows<Concern & { count: number }>(organizationId, SQL, [organizationId]),
    );
  }
}

// The time of disabling is only in the audit log, so other columns stand in for it.
const SQL = examplesOf(`
  SELECT id, domain_name AS name,
         CASE WHEN disabled_reason IS NOT NULL THEN 'DISABLED'
              WHEN status IN ('FAILED', 'REVOKED') THEN status
              ELSE 'CNAME_MISSING' END AS reason,
         CASE WHEN disabled_reason IS NOT NULL THEN NULL
              WHEN status = 'FAILED' THEN pending_since
              ELSE failing_since END AS since
    FROM custom_domains
   WHERE organization_id = $1 AND deleted_at IS NULL
     AND (disabled_reason IS NOT NULL OR status IN ('FAILED', 'REVOKED')
          OR (status IN ('VERIFIED', 'ACTIVE') AND failing_since IS NOT NULL))`);

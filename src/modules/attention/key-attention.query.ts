import { Injectable } from '@nestjs/common';
import { Database } from '../../infrastructure/database/database';
import { type Concern, type Found, MAX_EXAMPLES, toFound } from './concern';

const SOON_MS = 14 * 86_400_000;

/** API keys that expire soon, in order of expiry. */
@Injectable()
export class KeyAttentionQuery {
  constructor(private readonly database: Database) {}

  async run(organizationId: number, now: Date): Promise<Found> {
    const soon = new Date(now.getTime() + SOON_MS);
    const values = [organizationId, now, soon];
    return toFound(await this.database.reportRows<Concern & { count: number }>(organizationId, SQL, values));
  }
}

const SQL = `
  SELECT id, name, expires_at AS "expiresAt", count(*) OVER () AS count
    FROM api_keys WHERE organization_id = $1 AND expires_at > $2 AND expires_at <= $3
   ORDER BY expires_at, id LIMIT ${MAX_EXAMPLES}`;

import type { Tx } from '../../../infrastructure/database/tx';

interface Report {
  issuedAt: Date;
  tokenHash: Buffer;
  organizationId: number;
  userAgent: string | null;
  resolution: string | null;
  language: string | null;
  deviceModel: string | null;
  osVersion: string | null;
  browserId: string | null;
  visitedAt: Date | null;
}

/**
 * Gives reports of pages whose organization was unknown, because a process of the version before took them or issued
 * their token, to the organization of the click. They are deleted and written anew, because rows of a distributed table
 * stay with their organization.
 * @param keys arrays of the times in milliseconds, hashes and organizations of tokens
 */
export async function adoptReports(tx: Tx, keys: readonly unknown[]): Promise<void> {
  const reports = await tx.query<Report>(TAKE, keys);
  for (const { issuedAt, tokenHash, organizationId, userAgent, visitedAt, ...device } of reports) {
    const { resolution, language, deviceModel, osVersion, browserId } = device;
    const page = [userAgent, resolution, language, deviceModel, osVersion, browserId, visitedAt];
    await tx.query(GIVE, [issuedAt, tokenHash, organizationId, ...page]);
  }
}

const TAKE = `
  DELETE FROM deep_link_tokens AS r
   USING unnest($1::bigint[], $2::bytea[], $3::bigint[]) AS own (issued_at, token_hash, organization_id)
   WHERE r.organization_id = 0 AND r.issued_at = to_timestamp(own.issued_at / 1000.0) AND r.token_hash = own.token_hash
  RETURNING r.issued_at AS "issuedAt", r.token_hash AS "tokenHash", own.organization_id AS "organizationId",
            r.user_agent AS "userAgent", r.resolution, r.language, r.device_model AS "deviceModel",
            r.os_version AS "osVersion", r.browser_id AS "browserId", r.store_visited_at AS "visitedAt"`;

const GIVE = `
  INSERT INTO deep_link_tokens (issued_at, token_hash, organization_id, user_agent, resolution, language, device_model,
                                os_version, browser_id, store_visited_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (issued_at, token_hash, organization_id) DO NOTHING`;

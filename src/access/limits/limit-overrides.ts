import { In, type Repository } from 'typeorm';
import { LIMIT_NAMES, type LimitName, type LimitOverrides, limitsFrom, NO_OVERRIDES } from './limits';
import { OrganizationLimits } from './organization-limits.entity';
import type { Tx } from '../../infrastructure/database/database';

/** Limits set by the platform, by organization id; organizations without any are omitted. */
export async function findOverrides(
  rows: Repository<OrganizationLimits>,
  organizationIds: readonly number[],
): Promise<Map<number, LimitOverrides>> {
  const found = await rows.findBy({ organizationId: In([...organizationIds]) });
  return new Map(found.map((row) => [row.organizationId, limitsFrom((name) => row[name])]));
}

/** Stores the supplied limits of an organization, whose row must be locked; null restores the limit of the plan. */
export async function changeOverrides(
  tx: Tx,
  organizationId: number,
  supplied: Partial<Record<LimitName, number | null>>,
): Promise<{ before: LimitOverrides; after: LimitOverrides }> {
  const rows = tx.repository(OrganizationLimits);
  const before = (await findOverrides(rows, [organizationId])).get(organizationId) ?? NO_OVERRIDES;
  const after = { ...before, ...supplied };
  if (LIMIT_NAMES.some((name) => before[name] !== after[name])) {
    await rows.upsert({ organizationId, ...after }, ['organizationId']);
  }
  return { before, after };
}

import { lockOrganization } from '../../infrastructure/database/organization-lock';
import { LimitReached } from '../access.errors';
import { Organization } from './organization.entity';
import { limitsOf } from '../plans';
import { findOverrides } from '../limits/limit-overrides';
import { OrganizationLimits } from '../limits/organization-limits.entity';
import type { Tx } from '../../infrastructure/database/database';

/** Resources that are created one by one, with their names in error messages. */
const NOUNS = {
  apps: 'apps',
  customDomains: 'custom domains',
  campaigns: 'campaigns',
  contactGroups: 'contact groups',
  apiKeys: 'API keys',
  users: 'users',
  invitations: 'open invitations',
  allowListEntries: 'entries of the allow-list',
} as const;
export type Made = keyof typeof NOUNS;

/**
 * Checks that one more resource is allowed, and locks out other creations of the organization until the transaction
 * ends, so that concurrent requests cannot exceed the limit together.
 * @param count counts the existing ones
 * @throws LimitReached
 */
export async function takeRoom(
  tx: Tx,
  organizationId: number,
  made: Made,
  count: () => Promise<number>,
): Promise<void> {
  await lockOrganization(tx, `limit/${made}`, organizationId);
  const organization = await tx.repository(Organization).findOneBy({ id: organizationId });
  if (!organization) return;
  const overrides = await findOverrides(tx.repository(OrganizationLimits), [organizationId]);
  const limit = limitsOf(organization.plan, overrides.get(organizationId) ?? null)[made];
  const usage = await count();
  if (usage >= limit) throw new LimitReached(NOUNS[made], limit, usage);
}

import { lockOrganization } from '../../infrastructure/database/organization-lock';
import type { Tx } from '../../infrastructure/database/tx';
import { LimitReached } from '../access.errors';
import { Organization } from '../organizations/organization.entity';
import { limitsOf } from '../plans';
import { findOverrides } from './limit-overrides';
import { OrganizationLimits } from './organization-limits.entity';

/** What an organization makes one by one, with its name in messages. */
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
 * Refuses one more than the limit allows. Others of the organization wait until the transaction ends, so that requests at
 * once never pass the limit together.
 * @param count counts what there is
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

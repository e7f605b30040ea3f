import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import type { Caller } from '../caller';
import {
  activeAddOns,
  type CachedOrganization,
  OrganizationCache,
} from '../organizations/organization-cache';
import { type CachedApiKey, ApiKeyCache } from './api-key-cache';
import { hashKey, isKey } from './key-format';
import { KeyUsage } from './key-usage';
import { DomainError } from '../../common/errors/domain-error';

/** Authenticates an X-API-KEY, usually without a query. */
@Injectable()
export class ServiceKeys {
  constructor(
    private readonly keys: ApiKeyCache,
    private readonly organizations: OrganizationCache,
    private readonly usage: KeyUsage,
    private readonly clock: Clock,
  ) {}

  /**
   * @param text value of the header
   * @throws API_KEY_MISSING; API_KEY_INVALID, also for an expired key and for one of a deleted organization
   */
  async authenticate(
    text: string | undefined,
    ip: string,
  ): Promise<{ caller: Caller; snapshot: CachedOrganization }> {
    if (!text) throw new DomainError('API_KEY_MISSING');
    if (!isKey(text, 'wp_live_')) throw new DomainError('API_KEY_INVALID');
    const hash = hashKey(text);
    const key = await this.keys.get(hash);
    if (!key || this.isOver(key)) throw new DomainError('API_KEY_INVALID');
    const snapshot = await this.organizations.get(key.organizationId);
    if (!snapshot) throw new DomainError('API_KEY_INVALID');
    this.usage.touch(key.id, hash);
    return { caller: this.toCaller(key, snapshot, ip), snapshot };
  }

  private isOver({ validUntil }: CachedApiKey): boolean {
    return validUntil !== null && validUntil.getTime() <= this.clock.now();
  }

  private toCaller(key: CachedApiKey, snapshot: CachedOrganization, ip: string): Caller {
    const { id, name, organizationId, userId, username, permissions, role, scopes } = key;
    const actor = { type: 'API_KEY', id, name } as const;
    const addOns = activeAddOns(snapshot, this.clock.now());
    const { organization } = snapshot;
    const user = { userId, username, permissions, role };
    return { organizationId, organization, addOns, actor, ...user, scopes, ip };
  }
}

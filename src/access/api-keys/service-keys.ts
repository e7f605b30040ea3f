import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import { ApiKeyInvalid, ApiKeyMissing } from '../access.errors';
import type { Caller } from '../caller';
import {
  activeAddOns,
  type OrganizationSnapshot,
  OrganizationSnapshots,
} from '../organizations/organization-cache';
import { type ApiKeySnapshot, ApiKeySnapshots } from './api-key-cache';
import { hashKey, isKey } from './key-format';
import { KeyUsage } from './key-usage';

/** Tells whose an X-API-KEY is, from memory. */
@Injectable()
export class ServiceKeys {
  constructor(
    private readonly keys: ApiKeySnapshots,
    private readonly organizations: OrganizationSnapshots,
    private readonly usage: KeyUsage,
    private readonly clock: Clock,
  ) {}

  /**
   * @param text the header as it came
   * @throws ApiKeyMissing, ApiKeyInvalid (also for a key of a deleted organization)
   */
  async authenticate(
    text: string | undefined,
    ip: string,
  ): Promise<{ caller: Caller; snapshot: OrganizationSnapshot }> {
    if (!text) throw new ApiKeyMissing();
    if (!isKey(text, 'wp_live_')) throw new ApiKeyInvalid();
    const hash = hashKey(text);
    const key = await this.keys.get(hash);
    if (!key || !timingSafeEqual(key.hash, hash)) throw new ApiKeyInvalid();
    const snapshot = await this.organizations.get(key.organizationId);
    if (!snapshot) throw new ApiKeyInvalid();
    this.usage.touch(key.id);
    return { caller: this.toCaller(key, snapshot, ip), snapshot };
  }

  private toCaller(key: ApiKeySnapshot, snapshot: OrganizationSnapshot, ip: string): Caller {
    const { id, name, organizationId, userId, username, permissions } = key;
    const actor = { type: 'API_KEY', id, name } as const;
    const addOns = activeAddOns(snapshot, this.clock.now());
    const { organization } = snapshot;
    return { organizationId, organization, addOns, actor, userId, username, permissions, ip };
  }
}

import { Injectable } from '@nestjs/common';
import { withDeadline } from '../../common/deadline';
import { IdentityProvider } from './identity-provider';

/** A log-out does not wait longer for a provider that is away. */
const LIMIT_MS = 3_000;

/** Where a browser ends its session at the identity provider. */
@Injectable()
export class ProviderSignOut {
  constructor(private readonly provider: IdentityProvider) {}

  /** @returns null if the provider has no such page, or is away */
  async url(): Promise<string | null> {
    return withDeadline(this.provider.signOutUrl(), LIMIT_MS).catch(() => null);
  }
}

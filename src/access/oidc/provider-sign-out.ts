import { Injectable } from '@nestjs/common';
import { withDeadline } from '../../common/deadline';
import { IdentityProvider } from './identity-provider';

/** Limit for discovery, so that a log-out does not wait for a provider that is down. */
const LIMIT_MS = 3_000;

/** The page that ends a browser's session at the identity provider. */
@Injectable()
export class ProviderSignOut {
  constructor(private readonly provider: IdentityProvider) {}

  /** @returns null if the provider has no such page or does not respond */
  async url(): Promise<string | null> {
    return withDeadline(this.provider.signOutUrl(), LIMIT_MS).catch(() => null);
  }
}

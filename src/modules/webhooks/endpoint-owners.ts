import { Injectable } from '@nestjs/common';
import type { Tx } from '../../infrastructure/database/transactions';
import type { DisabledReason } from './webhook-endpoint';

/** An endpoint that was disabled by what it answered. */
export interface DisabledEndpoint {
  readonly id: number;
  readonly organizationId: number;
  readonly reason: Exclude<DisabledReason, 'CONSOLE'>;
  readonly lastError: string | null;
}

/** What is known of organizations above, and not here. */
export interface EndpointOwner {
  /** Whether the organization is there; of a deleted one nothing is delivered. */
  exists(organizationId: number): Promise<boolean>;
  /** Tells it, in the very transaction. */
  tell(tx: Tx, endpoint: DisabledEndpoint): Promise<void>;
}

/** Whom endpoints belong to. This module knows no organizations, so whoever does registers here. */
@Injectable()
export class EndpointOwners {
  private owner: EndpointOwner | null = null;

  register(owner: EndpointOwner): void {
    this.owner = owner;
  }

  async exists(organizationId: number): Promise<boolean> {
    return this.owner ? this.owner.exists(organizationId) : true;
  }

  async tell(tx: Tx, endpoint: DisabledEndpoint): Promise<void> {
    await this.owner?.tell(tx, endpoint);
  }
}

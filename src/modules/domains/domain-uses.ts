import { Injectable } from '@nestjs/common';
import type { Tx } from '../../infrastructure/database/tx';

/** A resource that uses domains. Its module is above this one, so it registers with `DomainUses`. */
export interface DomainUse {
  /** Plural name: `links`. */
  readonly name: string;
  /** Number of such resources on the organization's domain that are neither deleted nor expired. */
  countOn(tx: Tx, organizationId: number, domainId: number, now: Date): Promise<number>;
}

/** Resources that the deletion of a domain would affect. */
@Injectable()
export class DomainUses {
  private readonly uses: DomainUse[] = [];

  register(use: DomainUse): void {
    this.uses.push(use);
  }

  async count(tx: Tx, organizationId: number, domainId: number, now: Date): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    // Sequential, because they share the transaction's connection.
    for (const use of this.inOrder()) {
      counts[use.name] = await use.countOn(tx, organizationId, domainId, now);
    }
    return counts;
  }

  /** A fixed order for error messages, independent of the order of registration: links, campaigns. */
  private inOrder(): DomainUse[] {
    return this.uses.toSorted((a, b) => b.name.localeCompare(a.name));
  }
}

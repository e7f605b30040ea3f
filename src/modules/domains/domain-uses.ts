import { Injectable } from '@nestjs/common';
import type { Tx } from '../../infrastructure/database/tx';

/** Port to a resource on domains. Its module, which this one must not import, registers with `DomainUses`. */
export interface DomainUse {
  /** Name in the plural, such as `links`. */
  readonly name: string;
  /** Number of resources on the domain that are neither deleted nor expired. */
  countOn(tx: Tx, organizationId: number, domainId: number, now: Date): Promise<number>;
}

/** Resources that deleting a domain would affect. */
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

  /** In a fixed order for error messages: links, campaigns. */
  private inOrder(): DomainUse[] {
    return this.uses.toSorted((a, b) => b.name.localeCompare(a.name));
  }
}

import { Injectable } from '@nestjs/common';
import type { Tx } from '../../infrastructure/database/tx';

/** Something that stands on domains. It knows domains and they do not know it, so it registers with `DomainUses`. */
export interface DomainUse {
  /** What it is, in the plural: `links`. */
  readonly name: string;
  /** How many stand on the domain and have neither been deleted nor expired. */
  countOn(tx: Tx, domainId: number, now: Date): Promise<number>;
}

/** What a deletion of a domain would end. */
@Injectable()
export class DomainUses {
  private readonly uses: DomainUse[] = [];

  register(use: DomainUse): void {
    this.uses.push(use);
  }

  async count(tx: Tx, domainId: number, now: Date): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    // One after the other: they share the transaction's connection.
    for (const use of this.inOrder()) counts[use.name] = await use.countOn(tx, domainId, now);
    return counts;
  }

  /** Answers name them in the same order, whichever module started first: links, campaigns. */
  private inOrder(): DomainUse[] {
    return this.uses.toSorted((a, b) => b.name.localeCompare(a.name));
  }
}

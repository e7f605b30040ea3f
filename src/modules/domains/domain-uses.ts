import { Injectable } from '@nestjs/common';
import type { CodeDomain } from './code-domain';
import type { Tx } from '../../infrastructure/database/database';

/** Codes of links, or of campaigns, that differ in letter case alone. */
export interface Collision {
  readonly kind: 'link' | 'campaign';
  readonly codes: readonly { readonly id: number; readonly code: string }[];
}

export interface SameCodes {
  readonly total: number;
  /** The first of them, in the order of their codes. */
  readonly collisions: readonly Collision[];
}

/** Port to a resource on domains. Its module, which this one must not import, registers with `DomainUses`. */
export interface DomainUse {
  /** Name in the plural, such as `links`. */
  readonly name: string;
  /** Number of resources on the domain that are neither deleted nor expired. */
  countOn(tx: Tx, organizationId: number, domainId: number, now: Date): Promise<number>;
  /** Codes on the domain that lead somewhere and differ in letter case alone. */
  sameCodes(tx: Tx, organizationId: number, domainId: number, limit: number): Promise<SameCodes>;
  /** Stores codes by the new case of a domain, none of which collide. Call it with `lockCodeCase`. */
  changeCase(tx: Tx, organizationId: number, domain: CodeDomain): Promise<void>;
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

  async sameCodes(tx: Tx, organizationId: number, domainId: number, limit: number): Promise<SameCodes> {
    let total = 0;
    const collisions: Collision[] = [];
    for (const use of this.inOrder()) {
      const found = await use.sameCodes(tx, organizationId, domainId, limit);
      total += found.total;
      collisions.push(...found.collisions);
    }
    return { total, collisions: collisions.slice(0, limit) };
  }

  async changeCase(tx: Tx, organizationId: number, domain: CodeDomain): Promise<void> {
    for (const use of this.inOrder()) await use.changeCase(tx, organizationId, domain);
  }

  /** In a fixed order for error messages: links, campaigns. */
  private inOrder(): DomainUse[] {
    return this.uses.toSorted((a, b) => b.name.localeCompare(a.name));
  }
}

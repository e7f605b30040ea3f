import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../infrastructure/database/tx';
import type { Contact } from '../contact';

/** Personal data that a module stores besides the contact. */
export interface PersonalDataSource {
  /** Key in an export. */
  readonly name: string;
  /** All data of a person, as the API would show it. */
  find(person: Contact): Promise<readonly object[]>;
  /** Deletes or anonymizes the person's data; data of a source without it stays. */
  forget?(tx: Tx, person: Contact): Promise<void>;
}

/**
 * Registry of modules that store personal data: an export contains it all, a withdrawal or erasure removes
 * it.
 */
@Injectable()
export class PersonalData {
  private readonly sources: PersonalDataSource[] = [];

  register(source: PersonalDataSource): void {
    this.sources.push(source);
  }

  async of(person: Contact): Promise<Record<string, readonly object[]>> {
    const found: Record<string, readonly object[]> = {};
    // One after the other, so that an export holds one connection at a time.
    for (const source of this.sources) found[source.name] = await source.find(person);
    return found;
  }

  async forget(tx: Tx, person: Contact): Promise<void> {
    for (const source of this.sources) await source.forget?.(tx, person);
  }
}

import { Injectable } from '@nestjs/common';
import type { Contact } from '../contact';
import type { Tx } from '../../../infrastructure/database/database';

/** Port to personal data that a module stores besides the contact. */
export interface PersonalDataSource {
  /** Key in an export. */
  readonly name: string;
  /** All data of a person, in the form of the API. */
  find(person: Contact): Promise<readonly object[]>;
  /** Deletes or anonymizes the person's data; without it, data of the source is kept. */
  forget?(tx: Tx, person: Contact): Promise<void>;
}

/** Registry of modules with personal data, for exports, withdrawals and erasures. */
@Injectable()
export class PersonalData {
  private readonly sources: PersonalDataSource[] = [];

  register(source: PersonalDataSource): void {
    this.sources.push(source);
  }

  async of(person: Contact): Promise<Record<string, readonly object[]>> {
    const found: Record<string, readonly object[]> = {};
    // Sequential, so that an export holds one connection at a time.
    for (const source of this.sources) found[source.name] = await source.find(person);
    return found;
  }

  async forget(tx: Tx, person: Contact): Promise<void> {
    for (const source of this.sources) await source.forget?.(tx, person);
  }
}

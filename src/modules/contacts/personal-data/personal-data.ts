import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../infrastructure/database/tx';
import type { Contact } from '../contact';

/** What a module keeps of people beside their contact. */
export interface PersonalDataSource {
  /** Under which it stands in an export. */
  readonly name: string;
  /** All of it, as the API would show it. */
  find(person: Contact): Promise<readonly object[]>;
  /** Deletes it, or takes everything from it that is the person's; without it, it stays. */
  forget?(tx: Tx, person: Contact): Promise<void>;
}

/** Modules that keep something of people register here: an export holds it all, a withdrawal or erasure removes it. */
@Injectable()
export class PersonalData {
  private readonly sources: PersonalDataSource[] = [];

  register(source: PersonalDataSource): void {
    this.sources.push(source);
  }

  async of(person: Contact): Promise<Record<string, readonly object[]>> {
    const found = this.sources.map(async (source) => [source.name, await source.find(person)] as const);
    return Object.fromEntries(await Promise.all(found));
  }

  async forget(tx: Tx, person: Contact): Promise<void> {
    for (const source of this.sources) await source.forget?.(tx, person);
  }
}

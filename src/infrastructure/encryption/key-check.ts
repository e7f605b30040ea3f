import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Cell, Encryption, Undecipherable } from '../../common/crypto/encryption';
import { Clock } from '../../common/time/clock';
import { InvalidConfiguration } from '../../config/invalid-configuration';
import { Database } from '../database/database';

const TEXT = 'Waypost';

interface KnownKey {
  readonly id: string;
  /** TEXT, encrypted with the key. */
  readonly checkValue: string;
}

/**
 * Compares the configured keys with those the database knows, so that a missing or wrong key stops the start
 * instead of failing later reads.
 */
@Injectable()
export class KeyCheck implements OnModuleInit {
  private checked: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
    private readonly clock: Clock,
  ) {}

  /** Runs once, however often it is called. @throws InvalidConfiguration naming the key */
  onModuleInit(): Promise<void> {
    return (this.checked ??= this.checkAll());
  }

  private async checkAll(): Promise<void> {
    const { encryption } = this;
    await this.database.write(async (tx) => {
      const id = encryption.activeKeyId;
      await tx.execute(
        `INSERT INTO encryption_keys (id, check_value, active_since) VALUES ($1, $2, $3)
         ON CONFLICT (id) DO NOTHING`,
        [id, encryption.encrypt(TEXT, cellOf(id)), this.clock.date()],
      );
      const known = await tx.query<KnownKey>('SELECT id, check_value AS "checkValue" FROM encryption_keys');
      for (const key of known) this.check(key);
    });
  }

  private check({ id, checkValue }: KnownKey): void {
    if (!this.encryption.has(id)) {
      throw new InvalidConfiguration(
        `ENCRYPTION_KEYS: key "${id}" is missing, but values in this database are encrypted with it`,
      );
    }
    try {
      this.encryption.decrypt(checkValue, cellOf(id));
    } catch (error) {
      if (!(error instanceof Undecipherable)) throw error;
      throw new InvalidConfiguration(
        `ENCRYPTION_KEYS: key "${id}" differs from the one that values in this database are encrypted with`,
      );
    }
  }
}

function cellOf(id: string): Cell {
  return { table: 'encryption_keys', column: 'check_value', organizationId: 0, rowId: id };
}

import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';

/** Deletes de-duplication locks and salts of visitor hashes that have expired. */
@Injectable()
export class ExpiredVisitorData {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async delete(): Promise<void> {
    const now = this.clock.date();
    await this.database.execute(`DELETE FROM dedup_locks WHERE expires_at < $1`, [now]);
    await this.database.execute(`DELETE FROM click_salts WHERE expires_at < $1`, [now]);
  }
}

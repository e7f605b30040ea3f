import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../common/time/clock';

/** De-duplication locks and salts of visitor hashes past their TTL. */
@Injectable()
export class ExpiredVisitorData {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  async delete(): Promise<void> {
    const now = this.clock.date();
    await this.dataSource.query(`DELETE FROM click_claims WHERE expires_at < $1`, [now]);
    await this.dataSource.query(`DELETE FROM click_salts WHERE expires_at < $1`, [now]);
  }
}

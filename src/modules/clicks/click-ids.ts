import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../infrastructure/database/database';

/** Ids a lease holds: half of it outlasts a Postgres outage of ten minutes at any rate that one process reaches. */
const BLOCK = 100_000_000;

/** Gives clicks their ids without asking Postgres each time: leases blocks from a sequence. */
@Injectable()
export class ClickIds implements OnModuleInit {
  private next = 0;
  private end = 0;
  private spare: number | null = null;
  private leasing = false;

  constructor(private readonly database: Database) {}

  async onModuleInit(): Promise<void> {
    this.start(await this.lease());
  }

  /** @throws when the lease has run out and Postgres has given no new one */
  take(): number {
    if (this.end - this.next < BLOCK / 2 && this.spare === null) this.leaseAhead();
    if (this.next === this.end) {
      if (this.spare === null) throw new Error('No click ids are left and Postgres gives none');
      this.start(this.spare);
      this.spare = null;
    }
    return this.next++;
  }

  private start(block: number): void {
    this.next = block * BLOCK;
    this.end = this.next + BLOCK;
  }

  private leaseAhead(): void {
    if (this.leasing) return;
    this.leasing = true;
    void this.lease()
      .then((block) => (this.spare = block))
      .catch(() => undefined)
      .finally(() => (this.leasing = false));
  }

  private async lease(): Promise<number> {
    const row = await this.database.single<{ block: number }>(`SELECT nextval('click_id_blocks') AS block`);
    return row.block;
  }
}

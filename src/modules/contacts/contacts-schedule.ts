import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Clock } from '../../common/time/clock';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';
import { Database } from '../../infrastructure/database/database';
import { deleteInBatches } from '../../infrastructure/database/delete-in-batches';

const RETENTION_MS = 30 * 86_400_000;

@Injectable()
export class ContactsSchedule {
  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Reduces erased contacts in the change feed to their id, 30 days after the change, so that customers can read it.
   */
  @Cron('23 4 * * *', { timeZone: 'UTC' })
  forgetErased(): Promise<boolean> {
    return this.schedule.run('contacts.forget_erased', 86_400, () =>
      deleteInBatches(this.database, FORGET, [new Date(this.clock.now() - RETENTION_MS)]),
    );
  }
}

const FORGET = `
  UPDATE contact_changes SET external_user_id = NULL
   WHERE (organization_id, contact_id) IN (
           SELECT organization_id, contact_id FROM contact_changes
            WHERE external_user_id IS NOT NULL AND erased_at < $1 LIMIT 1000)`;

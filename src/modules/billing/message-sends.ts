import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Clock } from '../../common/time/clock';
import { parseDateTime } from '../../common/time/parse';
import { Database } from '../../infrastructure/database/database';
import { deleteInBatches } from '../../infrastructure/database/delete-in-batches';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';
import type { MessageSendItem } from './message-sends.dto';

const SLOTS = 4;
/** Retention of sends (docs/concepts/statistics.md#credits-and-billing); their sums are kept. */
const RETENTION_MONTHS = 12;

/** Records sent messages, each id once, and their sums for billing. */
@Injectable()
export class MessageSends {
  /**
   * Distributes the sums of a day over several rows, so that processes rarely wait for each other; reads add them up.
   */
  private readonly slot = randomInt(SLOTS);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly schedule: OncePerSchedule,
  ) {}

  /** @returns the number of new messages */
  async record(organizationId: number, sends: readonly MessageSendItem[]): Promise<number> {
    return this.database.write(async (tx) => {
      const [row] = await tx.query<{ added: number }>(RECORD, [
        organizationId,
        sends.map(({ messageId }) => messageId),
        sends.map(({ channelType }) => channelType),
        sends.map(({ status }) => status),
        sends.map(({ rate }) => String(rate)),
        sends.map(({ sentAt }) => parseDateTime(sentAt)),
        this.slot,
      ]);
      return row?.added ?? 0;
    });
  }

  @Cron('23 4 * * *', { timeZone: 'UTC' })
  purge(): Promise<boolean> {
    return this.schedule.run('billing.sends', 86_400, () => this.deleteOld());
  }

  /** Deletes sends past their retention, in batches, so that no statement runs long. */
  deleteOld(): Promise<void> {
    const before = this.clock.date();
    before.setUTCMonth(before.getUTCMonth() - RETENTION_MONTHS);
    return deleteInBatches(this.database, DELETE, [before]);
  }
}

// Sorted by key to avoid deadlocks.
const RECORD = `
  WITH added AS (
    INSERT INTO message_sends (organization_id, message_id, channel_type, status, rate, sent_at)
    SELECT $1, message_id, channel_type, status, rate, sent_at
      FROM unnest($2::text[], $3::text[], $4::text[], $5::numeric[], $6::timestamptz[])
        AS given (message_id, channel_type, status, rate, sent_at)
     ORDER BY message_id
    ON CONFLICT (organization_id, message_id) DO NOTHING
    RETURNING channel_type, status, rate, local_day(organization_id, sent_at) AS day
  ), summed AS (
    INSERT INTO message_send_rollups AS stored (organization_id, day, channel_type, slot, sends, rate_sum)
    SELECT $1, day, channel_type, $7, count(*), sum(rate)
      FROM added WHERE status = 'SUCCESS' GROUP BY day, channel_type ORDER BY day, channel_type
    ON CONFLICT (organization_id, day, channel_type, slot) DO UPDATE
       SET sends = stored.sends + excluded.sends, rate_sum = stored.rate_sum + excluded.rate_sum
  )
  SELECT count(*)::bigint AS added FROM added`;

const DELETE = `
  DELETE FROM message_sends
   WHERE (organization_id, message_id) IN (
     SELECT organization_id, message_id FROM message_sends WHERE sent_at < $1 LIMIT 5000)`;

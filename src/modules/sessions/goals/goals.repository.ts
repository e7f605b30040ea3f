import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND } from '../../clicks/click';
import type { Goal } from '../goal';
import type { Tx } from '../../../infrastructure/database/database';

@Injectable()
export class GoalsRepository {
  /**
   * Adds a goal. It is a repeat if the app has a goal of the same type and transaction or, without a transaction, if
   * the session has one of the same type and client timestamp.
   * @param currencyNamed false if the base currency was assumed; a repeat then matches in any currency, because the
   * base currency may have changed since
   * @returns null for a repeat
   */
  async insert(
    tx: Tx,
    goal: Omit<Goal, 'id' | 'day'> & { receivedAt: Date },
    currencyNamed: boolean,
  ): Promise<Goal | null> {
    const { receivedAt, ...fields } = goal;
    const [row] = await tx.query<{ id: number; day: string }>(INSERT, [
      goal.organizationId,
      goal.appId,
      goal.sessionId,
      goal.goalType,
      goal.value,
      goal.currency,
      goal.transactionId,
      goal.platform,
      goal.deviceType,
      goal.trackedLink && TRACKED_LINK_KIND[goal.trackedLink.kind],
      goal.trackedLink && goal.trackedLink.id,
      goal.customId,
      goal.externalUserId,
      goal.clientTimestamp?.toISOString() ?? null,
      goal.occurredAt.toISOString(),
      receivedAt.toISOString(),
      !currencyNamed && goal.transactionId === null,
    ]);
    return row ? { ...fields, ...row } : null;
  }
}

const INSERT = {
  name: 'goals.insert',
  text: `
    INSERT INTO goals (organization_id, app_id, session_id, goal_type, value, currency, transaction_id, platform,
                       device_type, kind, tracked_link_id, custom_id, external_user_id, client_timestamp, occurred_at,
                       received_at, day)
    SELECT $1::bigint, $2::bigint, $3::uuid, $4::text, $5::numeric, $6::text, $7::text, $8::text, $9::text,
           $10::smallint, $11::bigint, $12::text, $13::text, $14::timestamptz, $15::timestamptz, $16::timestamptz,
           local_day($1::bigint, $15::timestamptz)
     WHERE NOT ($17::boolean AND EXISTS (
       SELECT FROM goals
        WHERE organization_id = $1::bigint AND session_id = $3::uuid AND client_timestamp = $14::timestamptz
          AND goal_type = $4::text AND transaction_id IS NULL))
    ON CONFLICT DO NOTHING
    RETURNING id, day`,
};

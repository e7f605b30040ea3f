import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TARGET_KIND } from '../../common/click-target';
import { PreparedStatements } from '../../infrastructure/database/prepared-statements';
import type { Goal } from './goal';

/** The rows of `goals`. */
@Injectable()
export class GoalRows {
  constructor(private readonly statements: PreparedStatements) {}

  /**
   * Adds a goal, unless its transaction is known in the app or, without a transaction, the session has it with the
   * same client's time.
   * @returns null when it is there already
   */
  async insert(
    manager: EntityManager,
    goal: Omit<Goal, 'id' | 'day'> & { receivedAt: Date },
  ): Promise<Goal | null> {
    const { receivedAt, ...kept } = goal;
    const [row] = await this.statements.runIn<{ id: number; day: string }>(manager, INSERT, [
      goal.organizationId,
      goal.appId,
      goal.sessionId,
      goal.goalType,
      goal.value,
      goal.currency,
      goal.transactionId,
      goal.platform,
      goal.deviceType,
      goal.target && TARGET_KIND[goal.target.kind],
      goal.target && goal.target.id,
      goal.customId,
      goal.externalUserId,
      goal.clientTimestamp?.toISOString() ?? null,
      goal.occurredAt.toISOString(),
      receivedAt.toISOString(),
    ]);
    return row ? { ...kept, ...row } : null;
  }
}

const INSERT = {
  name: 'goals.insert',
  text: `
    INSERT INTO goals (organization_id, app_id, session_id, goal_type, value, currency, transaction_id, platform,
                       device_type, target_kind, target_id, custom_id, external_user_id, client_timestamp, occurred_at,
                       received_at, day)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::timestamptz, $16,
            local_day($1, $15::timestamptz))
    ON CONFLICT DO NOTHING
    RETURNING id, day`,
};

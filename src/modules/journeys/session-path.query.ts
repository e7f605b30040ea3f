import { Injectable } from '@nestjs/common';
import type { SessionTransition } from '../cross-platform/session-transition.entity';
import type { SessionPlatform } from '../sessions/funnel';
import type { SessionInstall } from './session-path.dto';
import type { Tx } from '../../infrastructure/database/database';

export interface PathGoal {
  goalType: string;
  /** A decimal string. */
  value: string;
  currency: string | null;
  transactionId: string | null;
  platform: SessionPlatform;
  occurredAt: Date;
}

export type PathTransition = Pick<SessionTransition, 'fromPlatform' | 'toPlatform' | 'occurredAt'>;

export interface PathInstall extends Omit<SessionInstall, 'installedAt'> {
  installedAt: Date;
}

/** Everything recorded about a session, in the order of receipt for each kind. */
@Injectable()
export class SessionPathQuery {
  goals(tx: Tx, organizationId: number, sessionId: string, limit: number): Promise<PathGoal[]> {
    return tx.query<PathGoal>(GOALS, [organizationId, sessionId, limit]);
  }

  transitions(tx: Tx, organizationId: number, sessionId: string, limit: number): Promise<PathTransition[]> {
    return tx.query<PathTransition>(TRANSITIONS, [organizationId, sessionId, limit]);
  }

  async install(tx: Tx, organizationId: number, sessionId: string): Promise<PathInstall | null> {
    const [row] = await tx.query<PathInstall>(INSTALL, [organizationId, sessionId]);
    return row ?? null;
  }
}

const OF_SESSION = 'organization_id = $1 AND session_id = $2';

const GOALS = `
  SELECT goal_type AS "goalType", value, currency, transaction_id AS "transactionId", platform,
         occurred_at AS "occurredAt"
    FROM goals WHERE ${OF_SESSION} ORDER BY id LIMIT $3`;

const TRANSITIONS = `
  SELECT from_platform AS "fromPlatform", to_platform AS "toPlatform", occurred_at AS "occurredAt"
    FROM session_transitions WHERE ${OF_SESSION} ORDER BY id LIMIT $3`;

const INSTALL = `
  SELECT platform, country, os_version AS "osVersion", device_model AS "deviceModel", installed_at AS "installedAt"
    FROM app_installs WHERE ${OF_SESSION}`;

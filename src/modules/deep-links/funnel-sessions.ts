import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TARGET_KIND, targetKindOf } from '../../common/click-target';
import { FUNNEL_TERM, type Stage } from '../../common/funnel';
import { intArray } from '../clicks/sql-arrays';
import type { FunnelFact, FunnelTarget } from './funnel-sums';

export type SessionPlatform = 'IOS' | 'ANDROID' | 'WEB';

/** One person's way from a click, or from the first opening of an app, to a goal. */
export interface FunnelSession {
  organizationId: number;
  id: string;
  appId: number | null;
  target: FunnelTarget | null;
  platform: SessionPlatform;
  /** Milliseconds since the epoch. */
  startedAt: number;
}

interface Row {
  appId: number | null;
  kind: number | null;
  targetId: number | null;
  startedAt: Date;
}

/** Funnel sessions and the stages that they reach. What they return belongs into FunnelRollups, same transaction. */
@Injectable()
export class FunnelSessions {
  /** Begins sessions with the stages that they have reached already. @returns what the rollups have to count */
  async begin(
    manager: EntityManager,
    begun: readonly { session: FunnelSession; stages: readonly Stage[] }[],
  ): Promise<FunnelFact[]> {
    if (begun.length === 0) return [];
    const sessions = begun.map(({ session }) => session);
    await manager.query(INSERT, [
      intArray(sessions.map((session) => session.organizationId)),
      sessions.map((session) => session.id),
      intArray(sessions.map((session) => session.appId)),
      intArray(sessions.map(({ target }) => target && TARGET_KIND[target.kind])),
      intArray(sessions.map(({ target }) => target && target.id)),
      sessions.map((session) => session.platform),
      intArray(sessions.map((session) => session.startedAt)),
      intArray(begun.map(({ stages }) => stages.reduce((bits, stage) => bits | bitOf(stage), 0))),
    ]);
    return begun.map(({ session: { organizationId, target, appId, startedAt }, stages }) => ({
      organizationId,
      target,
      appId,
      at: startedAt,
      terms: [FUNNEL_TERM.session, ...stages.map(FUNNEL_TERM.stage)],
    }));
  }

  /**
   * Records that a session has reached a stage.
   * @returns what the rollups have to count; null when it had been there, or when there is no such session
   */
  async reach(
    manager: EntityManager,
    organizationId: number,
    id: string,
    stage: Stage,
  ): Promise<FunnelFact | null> {
    const [[row]] = await manager.query<[Row[], number]>(REACH, [organizationId, id, bitOf(stage)]);
    if (!row) return null;
    const { appId, kind, targetId, startedAt } = row;
    const target = kind === null || targetId === null ? null : { kind: targetKindOf(kind), id: targetId };
    return {
      organizationId,
      target,
      appId,
      at: startedAt.getTime(),
      terms: [FUNNEL_TERM.stage(stage)],
    };
  }
}

function bitOf(stage: Stage): number {
  return 1 << (FUNNEL_TERM.stage(stage) - 1);
}

const INSERT = `
  INSERT INTO funnel_sessions (organization_id, id, app_id, target_kind, target_id, platform, started_at, stages)
  SELECT organization_id, id::uuid, app_id, target_kind, target_id, platform, to_timestamp(started_at / 1000.0), stages
    FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::smallint[], $5::bigint[], $6::text[], $7::bigint[],
                $8::smallint[])
      AS t (organization_id, id, app_id, target_kind, target_id, platform, started_at, stages)`;

// The row's lock makes one of two that come at once the first.
const REACH = `
  UPDATE funnel_sessions SET stages = stages | $3::smallint
   WHERE organization_id = $1 AND id = $2 AND stages & $3::smallint = 0
  RETURNING app_id AS "appId", target_kind AS kind, target_id AS "targetId", started_at AS "startedAt"`;

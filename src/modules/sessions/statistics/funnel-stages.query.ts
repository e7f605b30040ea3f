import { Injectable } from '@nestjs/common';
import { type Stage, STAGES } from '../funnel';
import type { DayRange } from '../../../common/date-range';
import { type SessionSubject, OF_SUBJECT, subjectParameters } from './session-subject';
import type { Tx } from '../../../infrastructure/database/database';

/** Sessions that started in a range of the organization's days, by stages reached so far. */
@Injectable()
export class FunnelStagesQuery {
  async run(
    tx: Tx,
    subject: SessionSubject,
    { startDate, endDate }: DayRange,
  ): Promise<ReadonlyMap<Stage, number>> {
    const parameters = [...subjectParameters(subject), startDate, endDate];
    const rows = await tx.query<Record<Stage, number>>(SQL, parameters);
    return new Map(STAGES.map(([stage]) => [stage, rows[0]?.[stage] ?? 0]));
  }
}

const SQL = `
  SELECT ${STAGES.map(([stage], i) => `coalesce(sum(stages[${i + 1}]), 0)::bigint AS "${stage}"`).join(', ')}
    FROM session_rollups
   WHERE ${OF_SUBJECT}`;

import { Injectable } from '@nestjs/common';
import type { DayRange } from '../../../common/date-range';
import { type GoalFigureRow, type GoalFigures, goalSums, toGoalFigures } from './goal-figures';
import { type SessionSubject, OF_SUBJECT, subjectParameters } from './session-subject';
import type { Tx } from '../../../infrastructure/database/database';

/** Goals in a range of the organization's days, read from rollups. */
@Injectable()
export class GoalsQuery {
  /** @param baseCurrency currency of the revenue sums */
  async run(
    tx: Tx,
    subject: SessionSubject,
    { startDate, endDate }: DayRange,
    baseCurrency: string,
  ): Promise<GoalFigures> {
    const parameters = [...subjectParameters(subject), startDate, endDate, baseCurrency];
    return toGoalFigures(await tx.query<GoalFigureRow>(SQL, parameters));
  }
}

const SQL = `
  SELECT day AS date, platform, goal_type AS "goalType", currency, ${goalSums('$8')}
    FROM goal_rollups WHERE ${OF_SUBJECT}
   GROUP BY GROUPING SETS ((day), (platform), (goal_type, currency))
  HAVING sum(goals) > 0
   ORDER BY count DESC, goal_type, currency`;

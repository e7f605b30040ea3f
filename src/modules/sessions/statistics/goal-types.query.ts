import { Injectable } from '@nestjs/common';
import type { DayRange } from '../../../common/date-range';
import { OF_SUBJECT, type SessionSubject, subjectParameters } from './session-subject';
import { Database } from '../../../infrastructure/database/database';

/** Types of the goals reached in a range of the organization's days, sorted by name. */
@Injectable()
export class GoalTypesQuery {
  constructor(private readonly database: Database) {}

  async run(subject: SessionSubject, { startDate, endDate }: DayRange): Promise<string[]> {
    const parameters = [...subjectParameters(subject), startDate, endDate];
    const rows = await this.database.reportRows<{ goalType: string }>(
      subject.organizationId,
      SQL,
      parameters,
    );
    return rows.map(({ goalType }) => goalType);
  }
}

const SQL = `
  SELECT goal_type AS "goalType"
    FROM goal_rollups
   WHERE ${OF_SUBJECT}
   GROUP BY goal_type
  HAVING sum(goals) > 0
   ORDER BY goal_type`;

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { DayRange } from '../../../common/time/date-range';
import { OF_SUBJECT, type JourneySubject, subjectParameters } from './session-subject';

/** Types of the goals that were reached in a range of the organization's days, by name. */
@Injectable()
export class GoalTypesQuery {
  constructor(private readonly dataSource: DataSource) {}

  async run(subject: JourneySubject, { startDate, endDate }: DayRange): Promise<string[]> {
    const parameters = [...subjectParameters(subject), startDate, endDate];
    const rows = await this.dataSource.query<{ goalType: string }[]>(SQL, parameters);
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

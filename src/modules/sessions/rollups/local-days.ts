import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../infrastructure/database/database';

/** Days in the current time zones of organizations. */
@Injectable()
export class LocalDays {
  /** The day of a time, `YYYY-MM-DD`. @throws if there is no such organization */
  async of(tx: Tx, organizationId: number, at: Date): Promise<string> {
    const [row] = await tx.query<{ day: string | null }>(DAY, [organizationId, at]);
    if (!row?.day) throw new Error('The organization was not found');
    return row.day;
  }
}

const DAY = { name: 'sessions.day', text: 'SELECT local_day($1, $2) AS day' };

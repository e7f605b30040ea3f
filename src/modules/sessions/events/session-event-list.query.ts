import { Injectable } from '@nestjs/common';
import { toDateTime } from '../../../common/time/format';
import { Database, type Tx } from '../../../infrastructure/database/database';

export interface SessionEventItem {
  id: number;
  eventType: string;
  eventData: Record<string, unknown> | null;
  clientTimestamp: string | null;
  clientTimezone: string | null;
  receivedAt: string;
}

type Row = Omit<SessionEventItem, 'clientTimestamp' | 'receivedAt'> & {
  clientTimestamp: Date | null;
  receivedAt: Date;
};

/** Session events in order of receipt. */
@Injectable()
export class SessionEventListQuery {
  constructor(private readonly database: Database) {}

  /** A page of the events of a session. @param tx a snapshot */
  async run(
    tx: Tx,
    organizationId: number,
    sessionId: string,
    { page, size }: { page: number; size: number },
  ): Promise<{ events: SessionEventItem[]; total: number }> {
    const session = [organizationId, sessionId];
    const [count] = await tx.query<{ total: number }>(
      `SELECT count(*) AS total FROM session_events AS e WHERE ${OF_SESSION}`,
      session,
    );
    const rows = await tx.query<Row>(
      `SELECT ${COLUMNS} FROM session_events AS e WHERE ${OF_SESSION} ORDER BY e.id LIMIT $3 OFFSET $4`,
      [...session, size, page * size],
    );
    return { events: rows.map(toShown), total: count?.total ?? 0 };
  }

  async ofMember(
    organizationId: number,
    externalUserId: string,
  ): Promise<(SessionEventItem & { sessionId: string })[]> {
    const rows = await this.database.reportRows<Row & { sessionId: string }>(
      organizationId,
      `SELECT ${COLUMNS}, e.session_id AS "sessionId"
         FROM funnel_sessions AS s
         JOIN session_events AS e ON e.organization_id = s.organization_id AND e.session_id = s.id
        WHERE s.organization_id = $1 AND s.external_user_id = $2 ORDER BY e.id`,
      [organizationId, externalUserId],
    );
    return rows.map(({ sessionId, ...row }) => ({ ...toShown(row), sessionId }));
  }
}

const OF_SESSION = 'e.organization_id = $1 AND e.session_id = $2';
const COLUMNS = `
  e.id, e.event_type AS "eventType", e.event_data AS "eventData", e.client_timestamp AS "clientTimestamp",
  e.client_timezone AS "clientTimezone", e.received_at AS "receivedAt"`;

function toShown(row: Row): SessionEventItem {
  return { ...row, clientTimestamp: toDateTime(row.clientTimestamp), receivedAt: toDateTime(row.receivedAt) };
}

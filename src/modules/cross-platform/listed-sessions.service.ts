import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../access/caller';
import { Page } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';
import { SessionListQuery } from '../sessions/session-list.query';
import { statisticsRange } from '../click-statistics/statistics-range';
import type { ListSessionsQuery } from './statistics/session-statistics.dto';
import type { SessionResponse } from './sessions.dto';
import { SessionsService } from './sessions.service';

@Injectable()
export class ListedSessionsService {
  constructor(
    private readonly sessions: SessionListQuery,
    private readonly shown: SessionsService,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidDateRange */
  async list(app: AppCaller, query: ListSessionsQuery): Promise<Page<SessionResponse>> {
    const { range } = statisticsRange(app, query, this.clock.date(), {
      timeZone: app.organization.timeZone,
      kept: 'eventRetentionDays',
    });
    const { platform = null, converted = null, externalUserId } = query;
    const filter = {
      appId: app.appId,
      from: range.from,
      to: range.to,
      platform,
      converted,
      externalUserId: externalUserId || null,
      stage: null,
      trackedLink: null,
    };
    const { sessions, total } = await this.database.report(app.organizationId, (tx) =>
      this.sessions.run(tx, app.organizationId, filter, query),
    );
    const content = await Promise.all(sessions.map((session) => this.shown.show(session, session.id)));
    return Page.of(content, total, query);
  }
}

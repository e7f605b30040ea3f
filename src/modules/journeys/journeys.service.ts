import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { ValidationFailed } from '../../common/errors/errors';
import { Page } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';
import { statisticsRange } from '../click-statistics/statistics-range';
import type { TrackedLinkRef } from '../sessions/rollups/funnel-sums';
import { SessionListQuery } from '../sessions/session-list.query';
import { seesRevenue } from '../sessions/statistics/revenue-access';
import { SessionFiguresQuery } from './session-figures.query';
import { type ListedSession, type OrganizationSessionsQuery, toListedSession } from './sessions.dto';

@Injectable()
export class JourneysService {
  constructor(
    private readonly sessions: SessionListQuery,
    private readonly figures: SessionFiguresQuery,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidDateRange, ValidationFailed */
  async list(caller: Caller, query: OrganizationSessionsQuery): Promise<Page<ListedSession>> {
    const { organizationId, organization } = caller;
    const { range } = statisticsRange(caller, query, this.clock.date(), {
      timeZone: organization.timeZone,
      kept: 'eventRetentionDays',
    });
    const { appId = null, platform = null, converted = null, stage = null, externalUserId } = query;
    const filter = {
      ...{ appId, from: range.from, to: range.to, platform, converted, stage },
      externalUserId: externalUserId || null,
      trackedLink: trackedLinkOf(query),
    };
    return this.database.report(organizationId, async (tx) => {
      const { sessions, total } = await this.sessions.run(tx, organizationId, filter, query);
      const ids = sessions.map(({ id }) => id);
      const figures = await this.figures.run(tx, organizationId, ids, organization.baseCurrency);
      const content = sessions.flatMap((session) => {
        const own = figures.get(session.id);
        return own ? [toListedSession(session, own, seesRevenue(caller))] : [];
      });
      return Page.of(content, total, query);
    });
  }
}

function trackedLinkOf({ urlId, campaignId }: OrganizationSessionsQuery): TrackedLinkRef | null {
  if (urlId && campaignId) throw ValidationFailed.field('urlId', 'must not be combined with campaignId');
  if (urlId) return { kind: 'link', id: urlId };
  return campaignId ? { kind: 'campaign', id: campaignId } : null;
}

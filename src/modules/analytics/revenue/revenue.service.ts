import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { ValidationFailed } from '../../../common/errors/errors';
import { Clock } from '../../../common/time/clock';
import type { DayRange } from '../../../common/time/date-range';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';
import { GoalsQuery } from '../../sessions/statistics/goals.query';
import { type SessionSubject, wholeApp } from '../../sessions/statistics/session-subject';
import { SessionsQuery } from '../../sessions/statistics/sessions.query';
import { platformOfWord } from '../analytics.atoms';
import { analyticsRange, comparedRange } from '../analytics-range';
import { OwnedApps } from '../owned-apps';
import { OwnedTrackedLinks } from '../owned-links';
import { toComparison, toRevenueFigures } from './revenue-response';
import type { RevenueFigures, RevenueQuery, RevenueResponse } from './revenue.dto';

/** Revenue of one app. */
@Injectable()
export class RevenueService {
  constructor(
    private readonly apps: OwnedApps,
    private readonly trackedLinks: OwnedTrackedLinks,
    private readonly sessions: SessionsQuery,
    private readonly goals: GoalsQuery,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailed, InvalidDateRange, AppNotOwned, NotFound */
  async of(caller: Caller, query: RevenueQuery): Promise<RevenueResponse> {
    const now = this.clock.date();
    const { range, shown } = analyticsRange(caller, query, now, 'eventRetentionDays');
    const subject = subjectOf(caller, query);
    const compared = comparedRange(caller, query, now, 'eventRetentionDays');
    const { appName } = await this.apps.get(caller.organizationId, query.appId);
    const { kind, id } = subject;
    if (kind !== 'app') await this.trackedLinks.check(caller.organizationId, kind, id);
    const { data, other } = await this.database.report(caller.organizationId, async (tx) => ({
      data: await this.figures(tx, caller, subject, range),
      other: compared && (await this.figures(tx, caller, subject, compared.range)),
    }));
    return {
      appId: query.appId,
      appName,
      currency: caller.organization.baseCurrency,
      ...shown,
      data,
      ...(compared && other && { comparison: toComparison(data, other, compared.shown) }),
    };
  }

  private async figures(
    tx: Tx,
    caller: Caller,
    subject: SessionSubject,
    range: DayRange,
  ): Promise<RevenueFigures> {
    const { baseCurrency } = caller.organization;
    const sessions = await this.sessions.run(tx, subject, range);
    const goals = await this.goals.run(tx, subject, range, baseCurrency);
    return toRevenueFigures(range, sessions, goals, baseCurrency);
  }
}

function subjectOf({ organizationId }: Caller, query: RevenueQuery): SessionSubject {
  const { appId, campaignId, urlId } = query;
  const platform = platformOfWord(query.platform);
  if (campaignId && urlId) throw ValidationFailed.field('urlId', 'must not be combined with campaignId');
  const subject = { ...wholeApp({ organizationId, appId }), platform };
  if (campaignId) return { ...subject, kind: 'campaign', id: campaignId };
  return urlId ? { ...subject, kind: 'link', id: urlId } : subject;
}

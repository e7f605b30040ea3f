import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { ValidationFailed } from '../../../common/errors/errors';
import { Clock } from '../../../common/time/clock';
import type { DayRange } from '../../../common/date-range';
import { Database, type Tx } from '../../../infrastructure/database/database';
import type { TrackedLinkKind } from '../../clicks/click';
import { GoalsQuery } from '../../sessions/statistics/goals.query';
import type { SessionSubject } from '../../sessions/statistics/session-subject';
import { SessionsQuery } from '../../sessions/statistics/sessions.query';
import { platformOfWord } from '../analytics.atoms';
import { analyticsRange, comparedRange } from '../analytics-range';
import { OwnedApps } from '../owned-apps';
import { OwnedTrackedLinks } from '../owned-links';
import { toComparison, toRevenueFigures } from './revenue-response';
import type { RevenueFigures, RevenueQuery, RevenueResponse } from './revenue.dto';

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

  /** @throws ValidationFailed, InvalidDateRange, APP_NOT_OWNED, NotFound */
  async of(caller: Caller, query: RevenueQuery): Promise<RevenueResponse> {
    const now = this.clock.date();
    const { range, shown } = analyticsRange(caller, query, now, 'eventRetentionDays');
    const compared = comparedRange(caller, query, now, 'eventRetentionDays');
    const target = targetOf(query);
    const { appName, subject: apps } = await this.apps.selected(caller, query.appId);
    if (target) await this.trackedLinks.check(caller.organizationId, target.kind, target.id);
    const subject = {
      ...apps,
      platform: platformOfWord(query.platform),
      ...(target && { kind: target.kind, ids: [target.id] }),
    };
    const { data, other } = await this.database.report(caller.organizationId, async (tx) => ({
      data: await this.figures(tx, caller, subject, range),
      other: compared && (await this.figures(tx, caller, subject, compared.range)),
    }));
    return {
      appId: subject.appId,
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

function targetOf({ campaignId, urlId }: RevenueQuery): { kind: TrackedLinkKind; id: number } | null {
  if (campaignId && urlId) throw ValidationFailed.field('urlId', 'must not be combined with campaignId');
  if (campaignId) return { kind: 'campaign', id: campaignId };
  return urlId ? { kind: 'link', id: urlId } : null;
}

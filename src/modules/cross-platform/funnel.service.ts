import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../access/caller';
import { ValidationFailed } from '../../common/errors/errors';
import { PURCHASE, type Stage } from '../sessions/funnel';
import { toDateTime } from '../../common/time/format';
import { parseDateTime } from '../../common/time/parse';
import { amountOf } from '../../common/validation/amount';
import { ContactActivity, type MemberAction, STANDARD_METRICS } from '../contacts/contact-activity';
import { forEndUser, withUserAgent } from '../sessions/end-user.dto';
import { type FunnelStep, FunnelTracking, type TakenStep } from '../sessions/goals/funnel-tracking';
import { sessionIdOf } from '../sessions/session-ids';
import { SessionStore } from '../sessions/session-store';
import type { TrackFunnelRequest, TrackFunnelResponse } from './funnel.dto';
import { type FoundLink, SessionLinks } from './session-links';

/** Metrics of a member's activity, by stage and by goal type (docs/concepts/sessions.md#activity). */
const METRIC_OF_STAGE: Partial<Record<Stage, string>> = {
  APP_OPENED: 'app_open',
  APP_INSTALLED: 'app_install',
};
const METRIC_GOALS: ReadonlySet<string> = new Set(STANDARD_METRICS);

/** Records stages and goals of sessions, and the resulting activity of members. */
@Injectable()
export class FunnelService {
  constructor(
    private readonly sessions: SessionStore,
    private readonly tracking: FunnelTracking,
    private readonly trackedLinks: SessionLinks,
    private readonly activity: ContactActivity,
  ) {}

  /** @throws NotFound for an unknown link or campaign, and for the session of another app; ValidationFailed */
  async track(caller: AppCaller, request: TrackFunnelRequest): Promise<TrackFunnelResponse> {
    const { sessionId: name } = request;
    const app = forEndUser(caller, request);
    const stage = stageOf(request);
    const id = sessionIdOf(app.appId, name);
    const found = await this.trackedLinks.find(app, request);
    const goalType = stage === 'GOAL_COMPLETED' ? await this.goalTypeOf(app, id, request, found) : null;
    const step = stepOf(app, id, stage, goalType, request, found);
    const taken = await this.sessions.transact(app, id, async (tx) => {
      const done = await this.tracking.track(tx, app, step);
      await this.activity.record(tx, actionsOf(app, done, stage));
      return done;
    });
    const { occurredAt, duplicated } = taken;
    const recorded = taken.recorded || taken.goal !== null;
    const requestedAt = step.clientTimestamp?.getTime() ?? occurredAt.getTime();
    return {
      success: true,
      sessionId: name,
      stage,
      recorded,
      goalType: goalType ?? request.goalType ?? null,
      duplicated,
      countedAt: recorded ? toDateTime(occurredAt) : null,
      timestampAdjusted: recorded && requestedAt !== occurredAt.getTime(),
    };
  }

  /** The goal type of the request, or else of the link or campaign that led to the session. */
  private async goalTypeOf(
    app: AppCaller,
    id: string,
    { goalType }: TrackFunnelRequest,
    found: FoundLink | null,
  ): Promise<string | null> {
    const named = goalType ?? found?.goalType;
    if (named) return named;
    const session = await this.sessions.find(app, id);
    if (!session) return null;
    const { organizationId, trackedLink } = session;
    return session.goalType ?? (trackedLink && this.trackedLinks.goalTypeOf(organizationId, trackedLink));
  }
}

function stageOf({ stage, goalType }: TrackFunnelRequest): Stage {
  if (stage) return stage;
  if (goalType) return 'GOAL_COMPLETED';
  throw ValidationFailed.field('stage', 'is required unless goalType is given');
}

function stepOf(
  { organization }: AppCaller,
  sessionId: string,
  stage: Stage,
  goalType: string | null,
  request: TrackFunnelRequest,
  found: FoundLink | null,
): FunnelStep {
  const { goalValue, currency = null, transactionId = null, externalUserId, timestamp } = request;
  const value = goalValue === null || goalValue === undefined ? null : amountOf(goalValue);
  return {
    sessionId,
    stage,
    goal: goalType === null ? null : { goalType, value, currency, transactionId },
    facts: {
      externalUserId,
      trackedLink: found?.trackedLink ?? null,
      goalType: found?.goalType ?? null,
      deviceInfo: withUserAgent(null, request),
    },
    platform: request.platform ?? null,
    deviceType: request.deviceType ?? null,
    clientTimestamp: timestamp ? parseDateTime(timestamp) : null,
    baseCurrency: organization.baseCurrency,
  };
}

/** The member's activity for a step, which counts once. Amounts are summed only in the base currency. */
function actionsOf(
  { organizationId, organization }: AppCaller,
  taken: TakenStep,
  stage: Stage,
): MemberAction[] {
  const { goal, recorded, occurredAt: at } = taken;
  const { externalUserId } = taken.session;
  if (externalUserId === null) return [];
  const common = { organizationId, externalUserId, at };
  if (goal && METRIC_GOALS.has(goal.goalType)) {
    const isMoney = goal.goalType === PURCHASE && goal.currency === organization.baseCurrency;
    return [{ ...common, metric: goal.goalType, amount: isMoney ? goal.value : null }];
  }
  const metric = METRIC_OF_STAGE[stage];
  return recorded && metric ? [{ ...common, metric, amount: null }] : [];
}

import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import {
  SESSION_PLATFORMS,
  type SessionPlatform,
  type Stage,
  STAGES,
} from '../../src/modules/sessions/funnel';
import { TransitionsService } from '../../src/modules/cross-platform/transitions.service';
import { Database, type Tx } from '../../src/infrastructure/database/database';
import type { TrackedLinkRef } from '../../src/modules/sessions/rollups/funnel-sums';
import { FunnelTracking } from '../../src/modules/sessions/goals/funnel-tracking';
import { SessionLifecycle } from '../../src/modules/sessions/session-lifecycle';
import { type OwnApp, SessionStore } from '../../src/modules/sessions/session-store';
import { registerApp } from './apps';
import { createCampaign } from './campaigns';
import { createOrganization, type TestOrganization } from './factories';
import { createLink } from './links';
import type { TestApp } from './test-app';

const SEED = 20_300_331;
const DAY_MS = 86_400_000;

/** Around midnight in both zones and UTC, and around the start of daylight saving time in Berlin. */
export const MOMENTS = [
  '2030-03-20T10:00:00Z',
  '2030-03-24T18:14:59Z',
  '2030-03-24T18:15:00Z',
  '2030-03-30T22:59:59Z',
  '2030-03-30T23:00:00Z',
  '2030-03-31T21:59:59Z',
  '2030-03-31T22:00:00Z',
  '2030-04-01T00:00:00Z',
  '2030-04-07T18:15:00Z',
  '2030-04-08T12:00:00Z',
].map((moment) => Date.parse(moment));

export interface JourneyOrganization extends TestOrganization {
  zone: string;
  currency: string;
  apps: { id: number; apiKey: string }[];
  /** Two links and two campaigns. */
  targets: TrackedLinkRef[];
}

async function makeOrganization(app: TestApp, zone: string, currency: string): Promise<JourneyOrganization> {
  const made = await createOrganization(app, { timeZone: zone, baseCurrency: currency });
  const apps = [];
  for (const platform of ['iOS', 'Web']) {
    const { id, apiKey } = await registerApp(made, { platform });
    apps.push({ id, apiKey });
  }
  const targets: TrackedLinkRef[] = [];
  for (const title of [null, 'Poster'])
    targets.push({ kind: 'link', id: (await createLink(made, { title })).id });
  for (const name of ['Spring', 'Summer']) {
    targets.push({ kind: 'campaign', id: (await createCampaign(made, { name })).id });
  }
  return { ...made, zone, currency, apps, targets };
}

const goal = fc.record({
  do: fc.constant('goal' as const),
  goalType: fc.constantFrom(
    'purchase',
    'purchase',
    'purchase_EUR',
    'purchase_usd',
    'signup',
    'add_to_cart',
    'addToCart',
  ),
  value: fc.integer({ min: 0, max: 2_000_000 }).map((amount) => amount / 100),
  currency: fc.constantFrom(null, null, 'EUR', 'NPR', 'USD'),
  // Few distinct values, so that some repeat.
  transactionId: fc.option(fc.nat(30).map((n) => `order-${n}`)),
  lateDays: fc.option(fc.constantFrom(0, 1, 6.999, 7.001)),
});

const step = fc.oneof(
  fc.record({ do: fc.constant('stage' as const), stage: fc.constantFrom(...STAGES.map(([stage]) => stage)) }),
  goal,
  goal,
  fc.record({
    do: fc.constant('event' as const),
    eventType: fc.constantFrom('view', 'view', 'search', 'share', 'play'),
  }),
  fc.record({ do: fc.constant('user' as const), user: fc.nat(9).map((n) => `member-${n}`) }),
  fc.record({ do: fc.constant('move' as const), to: fc.constantFrom(...SESSION_PLATFORMS) }),
  fc.record({ do: fc.constant('target' as const), target: fc.nat(3) }),
);

const session = fc.record({
  organization: fc.nat(1),
  app: fc.constantFrom(0, 0, 1),
  moment: fc.nat(MOMENTS.length - 1),
  platform: fc.constantFrom(...SESSION_PLATFORMS),
  target: fc.option(fc.nat(3), { freq: 2 }),
  user: fc.option(fc.nat(9).map((n) => `member-${n}`)),
  utmSource: fc.option(fc.constantFrom('newsletter', 'poster')),
  customId: fc.option(fc.constantFrom('anna', 'ben')),
  steps: fc.array(fc.record({ later: fc.nat(3), step }), { maxLength: 5, size: 'max' }),
});

interface Deed {
  at: number;
  sessionId: string;
  run: () => Promise<unknown>;
}

/** Activity in the apps of two organizations, written like the APIs do. Deterministic. */
export class RandomJourneys {
  private constructor(
    private readonly app: TestApp,
    readonly organizations: readonly JourneyOrganization[],
  ) {}

  static async make(app: TestApp, sessions: number): Promise<RandomJourneys> {
    app.clock.set(new Date(MOMENTS[0] ?? 0));
    const organizations = [
      await makeOrganization(app, 'Europe/Berlin', 'EUR'),
      await makeOrganization(app, 'Asia/Kathmandu', 'NPR'),
    ];
    const made = new RandomJourneys(app, organizations);
    const plans = fc.sample(session, { numRuns: sessions, seed: SEED });
    const deeds = plans.flatMap((plan) => made.deedsOf(plan));
    for (const at of [...new Set(deeds.map((deed) => deed.at))].sort((a, b) => a - b)) {
      app.clock.set(new Date(at));
      await inTurns(deeds.filter((deed) => deed.at === at));
    }
    return made;
  }

  private deedsOf(plan: ReturnType<typeof session.generate>['value']): Deed[] {
    const organization = this.organizations[plan.organization];
    const appId = organization?.apps[plan.app]?.id;
    if (!organization || !appId) throw new Error('There is no such app');
    const own = {
      organizationId: organization.organizationId,
      appId,
      key: 'secret' as const,
      appPlatform: 'Web',
    };
    const id = randomUUID();
    const trackedLinkOf = (n: number | null) => (n === null ? null : (organization.targets[n] ?? null));
    const momentOf = (n: number) => MOMENTS[Math.min(n, MOMENTS.length - 1)] ?? 0;
    const target = trackedLinkOf(plan.target);
    const { user: externalUserId, utmSource, customId, platform } = plan;
    const facts = {
      trackedLink: target,
      externalUserId,
      utmSource,
      customId: target?.kind === 'campaign' ? customId : null,
    };
    const begin: Deed = {
      at: momentOf(plan.moment),
      sessionId: id,
      run: () => this.write((tx) => this.app.get(SessionLifecycle).begin(tx, own, id, platform, facts)),
    };
    let named = externalUserId !== null;
    const later = plan.steps.flatMap(({ later: moments, step: each }): Deed[] => {
      const at = momentOf(plan.moment + moments) + 7_000;
      // Raw rows only store the last user of a session.
      if (each.do === 'user' && named) return [];
      if (each.do === 'user') named = true;
      return [
        { at, sessionId: id, run: () => this.take(own, organization.currency, id, each, trackedLinkOf, at) },
      ];
    });
    return [begin, ...later];
  }

  private take(
    own: OwnApp,
    baseCurrency: string,
    sessionId: string,
    each: ReturnType<typeof step.generate>['value'],
    trackedLinkOf: (n: number) => TrackedLinkRef | null,
    at: number,
  ): Promise<unknown> {
    switch (each.do) {
      case 'stage':
        return this.track(own, baseCurrency, sessionId, each.stage, null, null);
      case 'goal': {
        const { lateDays, ...goal } = each;
        const happened = lateDays === null ? null : new Date(at - Math.floor(lateDays * DAY_MS));
        return this.track(own, baseCurrency, sessionId, 'GOAL_COMPLETED', goal, happened);
      }
      case 'event':
        return this.event(own, sessionId, each.eventType);
      case 'user':
        return this.write((tx) => this.app.get(SessionLifecycle).linkUser(tx, own, sessionId, each.user));
      case 'move':
        return this.move(own, sessionId, each.to);
      case 'target': {
        const target = trackedLinkOf(each.target);
        if (!target) throw new Error('There is no such target');
        const facts = { goalType: null, customId: null };
        return this.write((tx) =>
          this.app.get(SessionLifecycle).registerLink(tx, own, sessionId, target, facts),
        );
      }
    }
  }

  private track(
    own: OwnApp,
    baseCurrency: string,
    sessionId: string,
    stage: Stage,
    goal: { goalType: string; value: number; currency: string | null; transactionId: string | null } | null,
    clientTimestamp: Date | null,
  ): Promise<unknown> {
    const taken = { sessionId, stage, goal, clientTimestamp, baseCurrency };
    return this.write((tx) =>
      this.app.get(FunnelTracking).track(tx, own, { ...taken, facts: {}, platform: null, deviceType: null }),
    );
  }

  /** Records an event of a session at the clock's time. */
  event(own: OwnApp, sessionId: string, eventType: string): Promise<unknown> {
    return this.write(async (tx) => {
      const change = await this.app.get(SessionStore).open(tx, own, sessionId);
      const [row] = await tx.query<{ day: string }>(
        `INSERT INTO session_events (organization_id, app_id, session_id, event_type, received_at, day)
         VALUES ($1, $2, $3, $4, $5::timestamptz, local_day($1, $5::timestamptz)) RETURNING day`,
        [own.organizationId, own.appId, sessionId, eventType, this.app.clock.date()],
      );
      change.addEvent();
      change.sums.addEvent({ ...own, day: row?.day ?? '' }, eventType);
      await this.app.get(SessionStore).save(tx, change);
    });
  }

  private async move(own: OwnApp, sessionId: string, to: SessionPlatform): Promise<void> {
    const { platform } = await this.app.get(SessionStore).get(own, sessionId);
    if (platform === to) return;
    await this.app.get(TransitionsService).move(own, { sessionId, toPlatform: to });
  }

  private write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.app.get(Database).write(work);
  }
}

/** Runs sessions in parallel, and the actions of each in order. */
async function inTurns(deeds: readonly Deed[]): Promise<void> {
  const sessions = new Set(deeds.map(({ sessionId }) => sessionId));
  const each = async (id: string) => {
    for (const { sessionId, run } of deeds) if (sessionId === id) await run();
  };
  await Promise.all([...sessions].map(each));
}

import { toRequest } from '../common/validation/to-request';
import { Countries } from '../modules/clicks/visitor-facts';
import { RecordEventRequest } from '../modules/cross-platform/session-events.dto';
import { SessionEventsService } from '../modules/cross-platform/session-events.service';
import { FunnelService } from '../modules/cross-platform/funnel.service';
import { TrackFunnelRequest } from '../modules/cross-platform/funnel.dto';
import { CreateSessionRequest } from '../modules/cross-platform/sessions.dto';
import { SessionsService } from '../modules/cross-platform/sessions.service';
import type { DemoApps } from './apps-and-domains';
import type { ClickTarget } from './click-targets';
import { appCaller, type Demo, randomOf } from './demo';
import { type Journey, planJourneys } from './journey-plan';
import { Visitors } from './visitors';

/** Journeys at the same time: Postgres waits for the disk at each commit. */
const AT_ONCE = 6;
const TOLD_EVERY = 500;

/** Sessions with their stages, events and goals, as the apps of the shop would have reported them. */
export async function fillJourneys(
  demo: Demo,
  apps: DemoApps,
  targets: readonly ClickTarget[],
): Promise<void> {
  const visitors = new Visitors(demo.get(Countries), demo.clicks);
  const journeys = planJourneys(demo, targets, visitors, randomOf('journeys'));
  let [next, done] = [0, 0];
  const work = async () => {
    for (let journey = journeys[next++]; journey && !demo.stopping.aborted; journey = journeys[next++]) {
      await report(demo, apps, journey);
      if (++done % TOLD_EVERY === 0) demo.say(`Sessions: ${done} of ${journeys.length}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function report(demo: Demo, apps: DemoApps, journey: Journey): Promise<void> {
  const { clock } = demo;
  const { sessionId, start, steps, app, ip } = journey;
  const caller = appCaller(demo.caller, apps[app], ip);
  const begun = toRequest(CreateSessionRequest, start);
  await clock.at(journey.at, () => demo.get(SessionsService).create(caller, begun));
  for (const { at, stage, goal, event } of steps) {
    await clock.at(at, async () => {
      if (event) {
        const clientTimestamp = new Date(at).toISOString();
        const recorded = toRequest(RecordEventRequest, { sessionId, ...event, clientTimestamp });
        await demo.get(SessionEventsService).record(caller, recorded);
      } else {
        const tracked = toRequest(TrackFunnelRequest, { sessionId, stage, ...goal });
        await demo.get(FunnelService).track(caller, tracked);
      }
    });
  }
}

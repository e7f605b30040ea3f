import { setTimeout as delay } from 'node:timers/promises';
import { LiveClicks } from '../../src/modules/click-statistics/live/live-clicks';
import { ClickRecorder } from '../../src/modules/clicks/click-recorder';
import { eventually } from '../support/eventually';
import { createOrganization, type TestOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { LiveStream } from '../support/live-clicks';
import { useTestApp } from '../support/test-app';
import { CHROME } from '../support/visits';

/** Of one user, in each of two processes. */
const OF_USER = 20;
/** Of the platform, in the first process. */
const OF_PLATFORM = 10;
const TICKS = 60;
const CLICKS_A_TICK = 40;
const TICK_MS = 50;

/** A listener that remembers what it got before it came back. */
interface Listener {
  stream: LiveStream;
  before: number[];
}

describe('live clicks of two processes that both count', () => {
  const app = useTestApp({ redis: true });
  const other = useTestApp(() => ({ database: app.database }));
  let org: TestOrganization;
  let listeners: Listener[];

  beforeAll(async () => {
    for (const each of [app, other]) each.clock.run();
    org = await createOrganization(app);
    const { apiKey, organizationId } = org;
    const streams = await Promise.all([
      ...Array.from({ length: OF_USER }, () => LiveStream.open(app.url, { apiKey })),
      ...Array.from({ length: OF_USER }, () => LiveStream.open(other.url, { apiKey })),
      ...Array.from({ length: OF_PLATFORM }, () => LiveStream.open(app.url, { organizationId })),
    ]);
    listeners = streams.map((stream) => ({ stream, before: [] }));
    await eventually(async () =>
      expect(await Promise.resolve(streams.every((stream) => stream.named('ready').length === 1))).toBe(true),
    );
  });
  afterAll(async () => {
    for (const { stream } of listeners) stream.close();
    for (const each of [app, other]) {
      await eventually(async () => expect(await Promise.resolve(each.get(LiveClicks).count)).toBe(0));
    }
  });

  /** Comes back to the other process. */
  const comeBack = async (listener: Listener, n: number) => {
    const { stream } = listener;
    stream.close();
    listener.before.push(...stream.clickIds);
    await delay(n * 20);
    listener.stream = await LiveStream.open(n % 2 ? app.url : other.url, {
      organizationId: org.organizationId,
      lastEventId: stream.lastEventId,
    });
  };

  it('come to each of fifty listeners once, also to those that come back', async () => {
    const { id: trackedLinkId } = await createLink(org);
    const recorders = [app, other].map((each) => each.get(ClickRecorder));
    const recorded: number[] = [];
    const returns: Promise<void>[] = [];
    const journaled: Promise<unknown>[] = [];
    for (let tick = 0; tick < TICKS; tick++) {
      for (let n = 0; n < CLICKS_A_TICK; n++) {
        const click = recorders[n % 2]?.record({
          kind: 'link',
          trackedLinkId,
          organizationId: org.organizationId,
          appIds: [],
          ip: `203.0.113.${n}`,
          userAgent: CHROME,
          referrer: null,
          tracker: null,
          customId: null,
          utm: null,
          deduplicationWindowMinutes: null,
        });
        if (!click) continue;
        recorded.push(click.id);
        journaled.push(click.journaled);
      }
      const listener = listeners[tick];
      if (tick % 5 === 0 && listener) returns.push(comeBack(listener, tick % 7));
      await delay(TICK_MS);
    }
    await Promise.all([...returns, ...journaled]);
    const counted = () =>
      app.sql<{ n: number }>('SELECT count(*) AS n FROM clicks WHERE tracked_link_id = $1', [trackedLinkId]);
    await eventually(async () => expect(await counted()).toEqual([{ n: recorded.length }]));
    const expected = recorded.sort((a, b) => a - b);
    await eventually(async () => {
      const got = await Promise.resolve(
        listeners.map(({ stream, before }) => before.length + stream.clickIds.length),
      );
      expect(got).toEqual(listeners.map(() => expected.length));
    });
    for (const { stream, before } of listeners) {
      expect(stream.named('reset')).toEqual([]);
      expect([...before, ...stream.clickIds].sort((a, b) => a - b)).toEqual(expected);
    }
  });
});

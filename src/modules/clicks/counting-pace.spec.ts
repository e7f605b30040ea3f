import { CountingPace } from './counting-pace';
import { VisitorLoad } from './visitor-load';

describe('The pace of counting', () => {
  let now: number;
  let busy: boolean;
  let pace: CountingPace;

  beforeEach(() => {
    now = 1_000_000;
    busy = false;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const load = new VisitorLoad();
    jest.spyOn(load, 'busy', 'get').mockImplementation(() => busy);
    pace = new CountingPace(load);
  });
  afterEach(() => jest.restoreAllMocks());

  /** A batch that takes some milliseconds. */
  const batch = (ms: number, all: boolean) => {
    const startedAt = now;
    now += ms;
    return pace.restAfter(startedAt, all);
  };

  it('rests three times as long as a batch took, a tenth of a second at least and a whole one at most', () => {
    expect([1, 100, 2_000].map((ms) => batch(ms, true))).toEqual([100, 300, 1_000]);
    expect(pace.givesWayFor).toBe(0);
  });

  it('goes on at once while clicks wait and visitors leave it the time', () => {
    expect(batch(500, false)).toBe(0);
    busy = true;
    expect(batch(500, false)).toBe(1_000);
    expect(batch(50, false)).toBe(150);
  });

  it('gives way to visitors for ten seconds, from when nothing waited', () => {
    busy = true;
    expect(pace.givesWayFor).toBe(0);
    batch(400, true);
    now += 9_500;
    expect(pace.givesWayFor).toBeGreaterThan(0);
    now += 100;
    expect(pace.givesWayFor).toBe(0);
    // What waits is more than a batch: it goes on, and gives way again when it has caught up.
    batch(400, false);
    expect(pace.givesWayFor).toBe(0);
    batch(400, true);
    expect(pace.givesWayFor).toBeGreaterThan(0);
    busy = false;
    expect(pace.givesWayFor).toBe(0);
  });
});

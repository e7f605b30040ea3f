import { CountingPace } from './counting-pace';
import { VisitorLoad } from './visitor-load';

describe('The pace of counting', () => {
  let now: number;
  let busy: boolean;
  let pace: CountingPace;

  beforeEach(() => {
    now = 1_000_000;
    busy = true;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const load = new VisitorLoad();
    jest.spyOn(load, 'busy', 'get').mockImplementation(() => busy);
    pace = new CountingPace(load);
  });
  afterEach(() => jest.restoreAllMocks());

  /** A batch that takes some milliseconds. */
  const batch = (ms: number, counted: number, waiting: number) => {
    const startedAt = now;
    now += ms;
    return pace.restAfter(startedAt, { counted, waiting });
  };

  it('rests three times as long as a batch took, a tenth of a second at least and a whole one at most', () => {
    expect([1, 100, 2_000].map((ms) => batch(ms, 20_000, 30_000))).toEqual([100, 300, 1_000]);
  });

  it('does not give way while it keeps up, however busy visitors keep the server', () => {
    for (const [counted, waiting] of [
      [0, 0],
      [1, 9_999],
      [20_000, 19_999],
    ] as const) {
      batch(1_000, counted, waiting);
      expect(pace.givesWayFor).toBe(0);
    }
  });

  it('gives way for ten seconds when more came than it counted, and not again before it has kept up', () => {
    batch(1_000, 20_000, 15_000);
    batch(1_000, 20_000, 20_000);
    expect(pace.givesWayFor).toBeGreaterThan(0);
    now += 8_900;
    expect(pace.givesWayFor).toBeGreaterThan(0);
    now += 100;
    expect(pace.givesWayFor).toBe(0);
    batch(1_000, 40_000, 160_000);
    expect(pace.givesWayFor).toBe(0);
    batch(1_000, 40_000, 30_000);
    batch(1_000, 30_000, 40_000);
    expect(pace.givesWayFor).toBeGreaterThan(0);
  });

  it('goes on as soon as visitors leave it the time', () => {
    batch(1_000, 20_000, 15_000);
    batch(1_000, 20_000, 30_000);
    expect(pace.givesWayFor).toBeGreaterThan(0);
    busy = false;
    expect(pace.givesWayFor).toBe(0);
  });

  it('does not give way to begin with: what waits may be from before a start', () => {
    batch(1_000, 40_000, 160_000);
    expect(pace.givesWayFor).toBe(0);
  });
});

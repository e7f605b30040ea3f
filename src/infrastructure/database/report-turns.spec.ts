import { setImmediate as macrotask } from 'node:timers/promises';
import { toDomainError } from '../../common/http/to-domain-error';
import { ReportTurns } from './report-turns';

const HOUR_MS = 3_600_000;

describe('Turns of reports', () => {
  let started: string[];

  beforeEach(() => {
    started = [];
  });

  /** A report that runs until `end` or `fail` is called. */
  function report(turns: ReportTurns, organizationId: number, name: string) {
    let end = () => {};
    let fail = (_: Error) => {};
    const held = new Promise<void>((resolve, reject) => ([end, fail] = [resolve, reject]));
    const done = turns.run(organizationId, async () => {
      started.push(name);
      await held;
      return name;
    });
    return { done, end: () => end(), fail: (error: Error) => fail(error) };
  }

  it('are those of each organization: others do not wait for them', async () => {
    const turns = new ReportTurns(2, HOUR_MS);
    const reports = ['a1', 'a2', 'a3'].map((name) => report(turns, 1, name));
    reports.push(report(turns, 2, 'b1'));
    expect(started).toEqual(['a1', 'a2', 'b1']);
    expect(turns.waiting).toBe(1);
    for (const { end } of reports) end();
    await Promise.all(reports.map(({ done }) => done));
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('pass on in the order of the calls, also from a report that fails', async () => {
    const turns = new ReportTurns(1, HOUR_MS);
    const [first, second, third] = ['first', 'second', 'third'].map((name) => report(turns, 1, name));
    first?.fail(new Error('broken'));
    await expect(first?.done).rejects.toThrow('broken');
    expect(started).toEqual(['first', 'second']);
    // A report that comes now does not overtake the one that waits.
    const fourth = report(turns, 1, 'fourth');
    second?.end();
    expect(await second?.done).toBe('second');
    third?.end();
    await third?.done;
    fourth.end();
    await fourth.done;
    expect(started).toEqual(['first', 'second', 'third', 'fourth']);
    expect(turns.waiting).toBe(0);
  });

  it('are waited for so long, then the store counts as unavailable', async () => {
    const turns = new ReportTurns(1, 20);
    const first = report(turns, 1, 'first');
    const late = Array.from({ length: 1_000 }, (_, i) => report(turns, 1, `late ${i}`));
    expect(turns.waiting).toBe(1_000);
    const errors = await Promise.all(late.map(({ done }) => done.catch((error: unknown) => error)));
    expect(new Set(errors.map((error) => toDomainError(error)?.code))).toEqual(new Set(['UNAVAILABLE']));
    expect(turns.waiting).toBe(0);
    const next = report(turns, 1, 'next');
    first.end();
    await first.done;
    await macrotask();
    expect(started).toEqual(['first', 'next']);
    next.end();
    expect(await next.done).toBe('next');
  });
});

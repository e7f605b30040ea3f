import { Turns } from './turns';

describe('turns of organizations', () => {
  const works = (...organizations: number[]) => organizations.map((each) => ({ organizations: [each] }));

  it('come first to those with the least in progress, then to those that have waited longest', () => {
    const turns = new Turns();
    const waiting = works(1, 1, 1, 1, 2, 2, 3);
    const begun: number[] = [];
    for (let work = turns.next(waiting); work; work = turns.next(waiting)) {
      waiting.splice(waiting.indexOf(work), 1);
      turns.begin(work);
      begun.push(...work.organizations);
      // Work of organization 1 never ends.
      if (work.organizations[0] !== 1) turns.end(work);
    }
    expect(begun).toEqual([1, 2, 3, 2, 1, 1, 1]);
  });

  it('of work that is several organizations’ come with the first of them', () => {
    const turns = new Turns();
    const [own, both] = [{ organizations: [1] }, { organizations: [1, 2] }];
    turns.begin(own);
    expect(turns.next([own, both])).toBe(both);
    turns.begin(both);
    expect(turns.next([own, both, ...works(3)])).toEqual({ organizations: [3] });
    turns.end(own);
    turns.end(both);
    expect(turns.next([own, both])).toBe(own);
  });

  it('go round however many organizations there are', () => {
    const turns = new Turns();
    const waiting = works(...Array.from({ length: 100 }, (_, organization) => organization));
    const begun = new Set<unknown>();
    for (let time = 0; time < 100; time++) {
      const work = turns.next(waiting);
      if (work) {
        turns.begin(work);
        turns.end(work);
      }
      begun.add(work);
    }
    expect(begun.size).toBe(100);
  });
});

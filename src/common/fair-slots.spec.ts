import { FairSlots } from './fair-slots';

describe('slots that organizations share', () => {
  it('go to one organization up to half, and to others as long as there are some', () => {
    const slots = new FairSlots(16);
    expect([5, 5, 1].map((wanted) => slots.take(1, wanted))).toEqual([5, 3, 0]);
    expect([2, 3, 4, 5, 6].map((organization) => slots.take(organization, 99))).toEqual([4, 2, 1, 1, 0]);
  });

  it('that are released wake organizations in turn', () => {
    const woken: [organization: number, key: number][] = [];
    const slots = new FairSlots(2);
    const wait = (organization: number, key: number) =>
      slots.wait(organization, key, () => {
        woken.push([organization, key]);
        slots.take(organization, 1);
      });
    expect([slots.take(1, 9), slots.take(2, 9)]).toEqual([1, 1]);
    for (const key of [1, 2, 3]) wait(1, key);
    for (const key of [1, 2, 3]) wait(2, key);
    slots.leave(2, 3);
    expect([slots.waiting, slots.waitingOf(2)]).toEqual([5, 2]);
    for (let released = 0; released < 6; released++) slots.release((released % 2) + 1, 1);
    const keysOf = (organization: number) =>
      woken.filter(([each]) => each === organization).map(([, key]) => key);
    expect([keysOf(1), keysOf(2)]).toEqual([
      [1, 2, 3],
      [1, 2],
    ]);
    expect(woken.slice(0, 4).map(([organization]) => organization)).toEqual([1, 2, 1, 2]);
  });

  it('are waited for once by each key', () => {
    const slots = new FairSlots(1);
    const woken: string[] = [];
    slots.take(1, 1);
    for (const time of ['first', 'second']) slots.wait(1, 'same', () => woken.push(time));
    slots.release(1, 1);
    expect(woken).toEqual(['second']);
  });

  it('are all free again in the end', () => {
    const slots = new FairSlots(8);
    const taken = [1, 2, 3].map((organization) => [organization, slots.take(organization, 9)]);
    for (const [organization = 0, count = 0] of taken) slots.release(organization, count);
    expect(slots.take(4, 9)).toBe(4);
  });
});

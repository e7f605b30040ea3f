import type { WorkItem } from '../../../infrastructure/jobs/wake-up-queue';
import { AttemptSlots } from './endpoint-state';

describe('slots for attempts', () => {
  const endpoint = (organizationId: number, id: number): WorkItem => ({ organizationId, id });
  const slots = (count: number, wake: (endpoint: WorkItem) => void = () => undefined) =>
    new AttemptSlots(count, wake);

  it('go to one organization up to half, and to others as long as there are some', () => {
    const pool = slots(16);
    expect([5, 5].map((wanted, id) => pool.take(endpoint(1, id), wanted))).toEqual([5, 3]);
    expect(pool.take(endpoint(1, 9), 1)).toBe(0);
    expect([2, 3, 4, 5, 6].map((organization) => pool.take(endpoint(organization, 0), 99))).toEqual([
      4, 2, 1, 1, 0,
    ]);
  });

  it('that are released wake organizations in turn', () => {
    const woken: WorkItem[] = [];
    const pool = slots(2, (each) => {
      woken.push(each);
      pool.take(each, 1);
    });
    expect([pool.take(endpoint(1, 0), 9), pool.take(endpoint(2, 0), 9)]).toEqual([1, 1]);
    for (let id = 1; id <= 3; id++) pool.take(endpoint(1, id), 1);
    for (let id = 1; id <= 2; id++) pool.take(endpoint(2, id), 1);
    for (let released = 0; released < 6; released++) pool.release((released % 2) + 1, 1);
    const ids = (organization: number) =>
      woken.filter((each) => each.organizationId === organization).map(({ id }) => id);
    expect([ids(1), ids(2)]).toEqual([
      [1, 2, 3],
      [1, 2],
    ]);
    expect(woken.slice(0, 4).map((each) => each.organizationId)).toEqual([1, 2, 1, 2]);
  });

  it('are all free again in the end', () => {
    const pool = slots(8);
    const taken = [1, 2, 3].map((organization) => [organization, pool.take(endpoint(organization, 0), 9)]);
    for (const [organization = 0, count = 0] of taken) pool.release(organization, count);
    expect(pool.take(endpoint(4, 0), 9)).toBe(4);
  });
});

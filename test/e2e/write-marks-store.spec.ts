import { setTimeout as delay } from 'node:timers/promises';
import { WriteMarks } from '../../src/infrastructure/database/replica/write-marks';
import { RedisStore } from '../../src/infrastructure/redis/redis';
import { eventually } from '../support/eventually';
import { useTestApp } from '../support/test-app';

const FOR_MS = 1_000;

describe.each([
  ['Redis', true],
  ['a process without Redis', false],
])('Marks of writes in %s', (_, redis) => {
  const app = useTestApp({ redis });
  let marks: WriteMarks;
  let organizationId = 0;

  beforeAll(() => {
    marks = new WriteMarks(app.get(RedisStore), FOR_MS);
  });
  beforeEach(async () => {
    organizationId++;
    await eventually(async () => expect(await marks.get(organizationId)).toBe(0));
  });

  /** Sets the mark again and again, for longer than it lasts. */
  async function keepMarking(lsn: number): Promise<void> {
    const enough = AbortSignal.timeout(1.5 * FOR_MS);
    while (!enough.aborted) {
      await marks.set(organizationId, lsn);
      await delay(20);
    }
  }

  it('are the latest LSN', async () => {
    for (const lsn of [20, 10]) await marks.set(organizationId, lsn);
    expect(await marks.get(organizationId)).toBe(20);
    await marks.set(organizationId, 30);
    expect(await marks.get(organizationId)).toBe(30);
  });

  it('do not end before what is written after them, whose LSN is lower after a fail-over', async () => {
    await marks.set(organizationId, 20);
    await keepMarking(10);
    expect(await marks.get(organizationId)).toBe(20);
  });

  it('of an LSN that is not known hide no later one, and end however often the organization writes', async () => {
    await marks.set(organizationId, Infinity);
    await marks.set(organizationId, 10);
    expect(await marks.get(organizationId)).toBe(Infinity);
    await keepMarking(20);
    expect(await marks.get(organizationId)).toBe(20);
  });

  it('of an LSN that is not known leave others when they end', async () => {
    await marks.set(organizationId, Infinity);
    let seen = Infinity;
    for (let n = 0; seen === Infinity && n < 500; n++) {
      await marks.set(organizationId, 10);
      await delay(20);
      seen = await marks.get(organizationId);
    }
    expect(seen).toBe(10);
  });
});

import * as fc from 'fast-check';
import type { Caller } from '../../src/access/caller';
import { UnsubscribeFeeds } from '../../src/modules/unsubscribes/feeds/unsubscribe-feeds';
import { UnsubscribesService } from '../../src/modules/unsubscribes/unsubscribes.service';
import { createOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';
import { phone } from '../support/unsubscribes';

/** Number of random sequences; MODEL_SEQUENCES=10000 for a long run. */
const SEQUENCES = Number(process.env.MODEL_SEQUENCES ?? 180);
/** Sequences that run in parallel, each on its own organization. */
const LANES = 12;
/** Sequences per organization; limited, because each client starts with all earlier deletions. */
const RUNS = 10;
const VALUES = 6;

type Step =
  | { do: 'register' | 'remove'; value: number }
  | { do: 'registerMany' | 'removeMany'; values: number[] }
  | { do: 'sync'; limit: number };

const value = fc.nat(VALUES - 1);
const values = fc.array(value, { maxLength: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('register' as const, 'remove' as const), value }),
  fc.record({ do: fc.constantFrom('registerMany' as const, 'removeMany' as const), values }),
  fc.record({ do: fc.constant('sync' as const), limit: fc.integer({ min: 1, max: 4 }) }),
);
const sequence = fc.array(step, { minLength: 1, maxLength: 14 });

/** A client that follows docs/concepts/opt-outs.md#following-the-feeds literally. */
class SyncingClient {
  /** Values by id of the entry. */
  readonly mirror = new Map<number, string>();
  private cursor: string | undefined;
  private deletionsCursor: string | undefined;

  constructor(
    private readonly feeds: UnsubscribeFeeds,
    private readonly organizationId: number,
  ) {}

  async sync(limit: number): Promise<void> {
    if (this.cursor === undefined) {
      // 1. Once: call the list without a cursor until hasMore is false; store the last nextCursor.
      await this.list(limit);
    } else {
      // 2. Periodically: call watermark; if latestCursor equals the stored cursor, stop.
      const query = { channel: 'SMS', withTotal: false } as const;
      const { latestCursor } = await this.feeds.watermark(this.organizationId, query);
      if (latestCursor === this.cursor) return;
      // 3. Otherwise call the list with the stored cursor and update it.
      await this.list(limit);
    }
    // 4. Then call deletions with its cursor and remove only local entries whose id equals sourceId.
    for (let hasMore = true; hasMore;) {
      const page = await this.feeds.deletions(this.organizationId, {
        channel: 'SMS',
        cursor: this.deletionsCursor,
        limit,
      });
      for (const { sourceId } of page.items) this.mirror.delete(sourceId);
      this.deletionsCursor = page.nextCursor;
      hasMore = page.hasMore;
    }
  }

  private async list(limit: number): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const page = await this.feeds.list(this.organizationId, {
        channel: 'SMS',
        cursor: this.cursor,
        limit,
      });
      for (const item of page.items) {
        if (this.mirror.has(item.id)) throw new Error(`Entry ${item.id} came twice`);
        this.mirror.set(item.id, item.value);
      }
      this.cursor = page.nextCursor;
      hasMore = page.hasMore;
    }
  }
}

describe('a client that follows the procedure', () => {
  jest.setTimeout(120_000 + SEQUENCES * 300);
  const app = useTestApp({ env: { DATABASE_POOL: '16' } });
  const lanes: { caller: Caller; runs: number }[] = [];

  async function callerOf(lane: number): Promise<Caller> {
    const known = lanes[lane];
    if (known && known.runs++ < RUNS) return known.caller;
    const { caller } = await createOrganization(app, { defaultRegion: 'KR' });
    lanes[lane] = { caller, runs: 1 };
    return caller;
  }

  async function run(caller: Caller, steps: readonly Step[]): Promise<void> {
    const service = app.get(UnsubscribesService);
    const client = new SyncingClient(app.get(UnsubscribeFeeds), caller.organizationId);
    const expected = new Set<string>();
    const all = Array.from({ length: VALUES }, (_, i) => phone(i));
    // The entries of an earlier sequence are the initial state of this client.
    await service.removeMany(caller, { channel: 'SMS', values: all });
    const check = async (limit: number) => {
      await client.sync(limit);
      expect([...client.mirror.values()].sort()).toEqual([...expected].sort());
    };
    for (const each of steps) {
      const chosen = 'values' in each ? each.values : 'value' in each ? [each.value] : [];
      const numbers = chosen.map(phone);
      const [one = ''] = numbers;
      if ('limit' in each) await check(each.limit);
      else if (each.do === 'register') await service.register(caller, { channel: 'SMS', value: one });
      else if (each.do === 'remove') await service.remove(caller, { channel: 'SMS', value: one });
      else if (each.do === 'registerMany') {
        await service.registerMany(caller, {
          channel: 'SMS',
          items: numbers.map((text) => ({ value: text })),
        });
      } else {
        await service.removeMany(caller, { channel: 'SMS', values: numbers });
      }
      if (each.do.startsWith('register')) for (const number of numbers) expected.add(number);
      else if (each.do.startsWith('remove')) for (const number of numbers) expected.delete(number);
    }
    await check(3);
  }

  it(`equals the server after every sync, in ${SEQUENCES} random sequences`, async () => {
    const property = fc.asyncProperty(
      fc.array(sequence, { minLength: LANES, maxLength: LANES }),
      async (sequences) => {
        await Promise.all(sequences.map(async (steps, lane) => run(await callerOf(lane), steps)));
      },
    );
    await fc.assert(property, { numRuns: Math.ceil(SEQUENCES / LANES) });
  });
});

import type { ClickIngest } from './click-ingest';
import type { CountingTransactions } from './counting-transactions';
import { GroupCounting } from './group-counting';
import type { EnrichedClick } from '../enriched-click';
import type { Tx } from '../../../infrastructure/database/database';

describe('counting the clicks of several shards', () => {
  let transactions: { clicks: number[]; end: (error?: Error) => void }[];
  let counting: GroupCounting;
  let done: string[];

  beforeEach(() => {
    transactions = [];
    done = [];
    const run = (work: (tx: Tx) => Promise<number>) => work({} as Tx);
    const ingest = (_: Tx, clicks: readonly EnrichedClick[]) =>
      new Promise<number>((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(clicks.length));
        transactions.push({ clicks: clicks.map(({ click }) => click.id), end });
      });
    counting = new GroupCounting(
      { run } as unknown as CountingTransactions,
      { ingest } as unknown as ClickIngest,
    );
  });

  const count = (id: number, acknowledge = () => Promise.resolve()) =>
    counting
      .count([{ click: { id } } as EnrichedClick], () => {
        done.push(`acknowledged ${id}`);
        return acknowledge();
      })
      .then(
        () => done.push(`counted ${id}`),
        (error: unknown) => done.push(`${id}: ${error instanceof Error ? error.message : ''}`),
      );
  const clicks = () => transactions.map((each) => each.clicks);
  const settle = async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  };

  it('runs one transaction at a time, and those that arrive meanwhile share the next one', async () => {
    void count(1);
    void count(2);
    void count(3);
    await settle();
    expect(clicks()).toEqual([[1]]);
    expect(done).toEqual([]);

    transactions[0]?.end();
    await settle();
    expect(clicks()).toEqual([[1], [2, 3]]);
    expect(done).toEqual(['acknowledged 1', 'counted 1']);

    transactions[1]?.end();
    await settle();
    expect(done.slice(2)).toEqual(['acknowledged 2', 'acknowledged 3', 'counted 2', 'counted 3']);
  });

  it('takes along what shards bring as soon as they are counted', async () => {
    void count(1).then(() => count(4));
    void count(2);
    transactions[0]?.end();
    await settle();
    expect(clicks()).toEqual([[1], [2, 4]]);
  });

  it('acknowledges nothing that was not counted, and goes on', async () => {
    void count(1);
    void count(2);
    transactions[0]?.end(new Error('away'));
    await settle();
    expect(done).toEqual(['1: away']);
    transactions[1]?.end();
    await settle();
    void count(3);
    expect(clicks()).toEqual([[1], [2], [3]]);
  });

  it('takes a failed acknowledgement for none', async () => {
    void count(1, () => Promise.reject(new Error('away')));
    transactions[0]?.end();
    await settle();
    expect(done).toEqual(['acknowledged 1', 'counted 1']);
  });
});

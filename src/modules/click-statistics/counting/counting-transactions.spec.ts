import type { Config } from '../../../config/config';
import type { Database } from '../../../infrastructure/database/database';
import { CountingTransactions } from './counting-transactions';

describe('the size of the batches that are counted', () => {
  const MAX = 1_000;
  let now = 0;
  let transactions: CountingTransactions;

  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const database = { writeWithin: (_: number, work: () => Promise<void>) => work() };
    const config = { clicks: { batch: MAX } };
    transactions = new CountingTransactions(database as unknown as Database, config as unknown as Config);
  });
  afterEach(() => jest.restoreAllMocks());

  const take = (milliseconds: number) =>
    transactions.run(() => {
      now += milliseconds;
      return Promise.resolve();
    });

  it('is halved by a slow batch before one runs into the limit, and grows back with fast ones', async () => {
    await take(2_600);
    expect(transactions.clicks).toBe(500);
    await take(2_000);
    expect(transactions.clicks).toBe(500);
    await take(100);
    expect(transactions.clicks).toBe(MAX);
    await take(100);
    expect(transactions.clicks).toBe(MAX);
  });

  it('is halved by a batch that ran into the limit, down to a hundred', async () => {
    for (let n = 0; n < 5; n++) {
      const late = transactions.run(() => {
        now += 5_000;
        return Promise.reject(new Error('late'));
      });
      await expect(late).rejects.toThrow('late');
    }
    expect(transactions.clicks).toBe(100);
  });

  it('stays when a batch fails early', async () => {
    await expect(transactions.run(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(transactions.clicks).toBe(MAX);
  });
});

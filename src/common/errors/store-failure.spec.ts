import { isStoreFailure } from './store-failure';

describe('a failure of a store', () => {
  it.each([
    ['that a later try may not meet', 'failure on connection marked as essential: 127.0.0.1:5432'],
    [
      'of a read that was planned before its tables were distributed',
      'cannot perform distributed planning on this query because parameterized queries for SQL functions referencing distributed tables are not supported',
    ],
  ])('is one %s', (_, message) => {
    expect(isStoreFailure(Object.assign(new Error(message), { code: '0A000' }))).toBe(true);
  });

  it('is no statement that is wrong', () => {
    const wrong = Object.assign(new Error('column "x" does not exist'), { code: '42703' });
    expect(isStoreFailure(wrong)).toBe(false);
  });
});

import { isStoreFailure } from './store-failure';

describe('a failure of a store', () => {
  it.each([
    ['that a later try may not meet', 'failure on connection marked as essential: 127.0.0.1:5432'],
    [
      'at the commit of a transaction on a node of Citus',
      'could not commit transaction for shard 102008 on at least one active node',
    ],
    [
      'at the commit of a transaction on several nodes of Citus',
      'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally',
    ],
    [
      'of a read that was planned before its tables were distributed',
      'cannot perform distributed planning on this query because parameterized queries for SQL functions referencing distributed tables are not supported',
    ],
  ])('is one %s', (_, message) => {
    expect(isStoreFailure(Object.assign(new Error(message), { code: 'XX000' }))).toBe(true);
  });

  it('is no statement that is wrong', () => {
    const wrong = Object.assign(new Error('column "x" does not exist'), { code: '42703' });
    expect(isStoreFailure(wrong)).toBe(false);
  });
});

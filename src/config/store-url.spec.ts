import { readConfig } from './config';
import { InvalidConfiguration } from './invalid-configuration';

const NAMES = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'REDIS_URL'];

/** The error of the start; null if the URL is valid. */
function problemWith(name: string, value: string): string | null {
  try {
    readConfig({ DATABASE_URL: 'postgres://db/waypost', [name]: value });
    return null;
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    return error.message;
  }
}

describe.each(NAMES)('%s', (name) => {
  const scheme = name === 'REDIS_URL' ? 'redis' : 'postgres';

  it.each(['p@ss/SECRET', 'pass/SECRET', 'pass?SECRET', 'pass#SECRET', '#SECRET', '1/SECRET'])(
    'is refused with the password %s, without a part of it in the message',
    (password) => {
      expect(problemWith(name, `${scheme}://waypost:${password}@127.0.0.1/1`)).toBe(
        `${name}: must have special characters of user name and password percent-encoded, such as @ as %40 and / as %2F`,
      );
    },
  );

  it('is refused with a fragment', () => {
    expect(problemWith(name, `${scheme}://127.0.0.1/1#SECRET`)).toContain('percent-encoded');
  });

  it.each(['waypost:p%40ss%2F%3F%23@127.0.0.1/1', 'waypost:p@ss@127.0.0.1/1', '127.0.0.1/1'])(
    'is read as %s',
    (rest) => {
      expect(problemWith(name, `${scheme}://${rest}`)).toBeNull();
    },
  );
});

it.each([
  'redis-sentinel://a,b/name?sentinelPassword=p@ss',
  'redis-cluster://me:SEC/RET@a,b',
  'redis-sentinel://me:SEC#RET@a,b/name',
])('REDIS_URL is refused as %s', (url) => {
  expect(problemWith('REDIS_URL', url)).toMatch(/^REDIS_URL: .* percent-encoded/);
});

import { serverUrls } from './database-url';

describe('serverUrls', () => {
  it('has a URL for each host', () => {
    expect(serverUrls('postgres://u:p%40,q@a:5433,b,[::1]:5434/db?target_session_attrs=read-write')).toEqual([
      'postgres://u:p%40,q@a:5433/db?target_session_attrs=read-write',
      'postgres://u:p%40,q@b/db?target_session_attrs=read-write',
      'postgres://u:p%40,q@[::1]:5434/db?target_session_attrs=read-write',
    ]);
  });

  it.each([
    'postgresql://waypost@db.example.com/waypost',
    'postgres:///waypost?host=/run/postgresql',
    'postgres://u:a,b@db/waypost?application_name=a,b',
  ])('keeps %s, which has one', (url) => {
    expect(serverUrls(url)).toEqual([url]);
  });

  it.each([
    ['mysql://a,b/db', 'must be a URL that starts with postgres:// or postgresql://'],
    ['postgres://a,:5432/db', 'must be a URL such as postgres://user:password@host:5432/database'],
    ['postgres://a,b:99999/db', 'must be a URL such as postgres://user:password@host:5432/database'],
    [
      'postgres://a,,b/db',
      'must list hosts, each with or without a port, as in postgres://a:5432,b/database',
    ],
    ['postgres://a,b/db?target_session_attrs=any', 'must have read-write or primary as target_session_attrs'],
  ])('refuses %s', (url, message) => {
    expect(() => serverUrls(url)).toThrow(message);
  });
});

/** The message describes a valid database URL, without quoting the given one. */
export class BadDatabaseUrl extends Error {}

const SCHEME = /^postgres(?:ql)?:\/\//;
const LIST = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#@,]*,[^/?#@]*)((?:[/?#].*)?)$/s;

/**
 * Splits a URL with several hosts, such as `postgres://user@a:5432,b/database?target_session_attrs=read-write`, into
 * one per host.
 * @throws BadDatabaseUrl
 */
export function serverUrls(url: string): string[] {
  if (!SCHEME.test(url)) {
    throw new BadDatabaseUrl('must be a URL that starts with postgres:// or postgresql://');
  }
  const [, before = '', hosts, after = ''] = LIST.exec(url) ?? [];
  const urls = hosts === undefined ? [url] : hosts.split(',').map((host) => `${before}${host}${after}`);
  for (const each of urls) check(URL.parse(each), urls.length > 1);
  return urls;
}

function check(url: URL | null, listed: boolean): void {
  if (!url) throw new BadDatabaseUrl('must be a URL such as postgres://user:password@host:5432/database');
  if (listed && url.hostname === '') {
    throw new BadDatabaseUrl(
      'must list hosts, each with or without a port, as in postgres://a:5432,b/database',
    );
  }
  const wanted = url.searchParams.get('target_session_attrs');
  if (wanted !== null && wanted !== 'read-write' && wanted !== 'primary') {
    throw new BadDatabaseUrl('must have read-write or primary as target_session_attrs');
  }
}

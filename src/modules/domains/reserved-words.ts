/**
 * First path segments reserved for current and future paths of the service (docs/concepts/links.md#codes-and-aliases).
 */
export const RESERVED_WORDS: ReadonlySet<string> = new Set([
  '.well-known',
  'about',
  'account',
  'admin',
  'api',
  'app',
  'apps',
  'assets',
  'auth',
  'c',
  'campaign',
  'campaigns',
  'console',
  'dashboard',
  'docs',
  'favicon.ico',
  'health',
  'help',
  'internal',
  'legal',
  'login',
  'logout',
  'metrics',
  'openapi',
  'privacy',
  'public',
  'robots.txt',
  'sdk',
  'sitemap.xml',
  'static',
  'status',
  'support',
  'swagger',
  'terms',
  'u',
  'waypost',
  'webhooks',
  'www',
]);

/** Whether a code or alias would conflict with paths of the service; case-insensitive. */
export function isReservedWord(code: string): boolean {
  return RESERVED_WORDS.has(code.toLowerCase());
}

/**
 * First path segments that the service keeps for itself, today or as it grows
 * (docs/concepts/links.md#codes-and-aliases).
 */
const RESERVED = new Set([
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

/** Whether a code or alias would stand in the way of the service's own paths; letter case does not count. */
export function isReservedWord(code: string): boolean {
  return RESERVED.has(code.toLowerCase());
}

import { createHash } from 'node:crypto';

/** Fields that change without an edit. */
const UNEDITED = new Set([
  ...['clickCount', 'usedClicks', 'healthStatus', 'healthCheckedAt', 'healthProblem'],
  ...['ogTitle', 'ogDescription', 'ogImageUrl', 'warnings', 'optedOut'],
  ...['iosAppName', 'iosAppIconUrl', 'androidAppName', 'androidAppIconUrl'],
  ...['memberCount', 'lastEvaluatedAt', 'lastUsedAt', 'lastSignInAt', 'previousKeyLastUsedAt'],
  ...[
    'failingSince',
    'lastError',
    'lastErrorAt',
    'lastDeliveredAt',
    'lastPulledAt',
    'replayingSince',
    'last24Hours',
    'state',
  ],
  ...['expectedRecords', 'lastCheck', 'lastCheckedAt', 'verifiedAt'],
]);

/** The ETag of a resource, which changes only when somebody edits it. */
export function etagOf(resource: object): string {
  const edited = Object.fromEntries(Object.entries(resource).filter(([field]) => !UNEDITED.has(field)));
  const hash = createHash('sha256').update(JSON.stringify(edited, inOrder)).digest('base64url');
  return `"${hash.slice(0, 22)}"`;
}

/** Sorts keys, because responses to reads and writes may order fields differently. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether an If-Match names the ETag. A compressing proxy may have made it a weak one. */
export function matches(ifMatch: string, etag: string): boolean {
  const named = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return named.includes('*') || named.includes(etag) || named.includes(etag.slice(1, -1));
}

/** What an API key may be limited to (docs/concepts/access.md#scopes). */
export const SCOPES = [
  'links:read',
  'links:write',
  'campaigns:read',
  'campaigns:write',
  'apps:read',
  'apps:write',
  'domains:read',
  'domains:write',
  'contacts:read',
  'contacts:write',
  'unsubscribes:read',
  'unsubscribes:write',
  'segments:read',
  'segments:write',
  'analytics:read',
  'webhooks:read',
  'webhooks:write',
] as const;
export type Scope = (typeof SCOPES)[number];

/** The scope that allows everything the key's user may do. */
export const EVERY_SCOPE = '*';

/** Whether a key with `scopes` has `scope`; a `:write` includes its `:read`. Callers without a key need none. */
export function covers(scopes: ReadonlySet<string> | undefined, scope: Scope): boolean {
  return (
    !scopes || scopes.has(EVERY_SCOPE) || scopes.has(scope) || scopes.has(scope.replace(/:read$/, ':write'))
  );
}

/** The scope of a route, or an area such as `links`: `links:read` for GET requests, `links:write` for all others. */
export type RouteScope =
  Scope | (Scope extends infer S ? (S extends `${infer Area}:write` ? Area : never) : never);

export function scopeOf(scope: RouteScope, method: string): Scope {
  if (isScope(scope)) return scope;
  return `${scope}:${/^(get|head)$/i.test(method) ? 'read' : 'write'}`;
}

function isScope(scope: RouteScope): scope is Scope {
  return scope.includes(':');
}

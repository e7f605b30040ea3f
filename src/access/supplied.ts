type Supplied<T, K extends keyof T> = { [F in K]?: NonNullable<T[F]> };
type Given<T, K extends keyof T> = { [F in K]?: Exclude<T[F], undefined> };

/** Those of the named fields that a request brings, null included: it clears them. */
export function given<T extends object, K extends keyof T>(request: T, fields: readonly K[]): Given<T, K> {
  const result: Given<T, K> = {};
  for (const field of fields) {
    const value = request[field];
    if (value !== undefined) result[field] = value as Exclude<T[K], undefined>;
  }
  return result;
}

/**
 * Those of the named fields that a request brings: neither missing nor null. Only named ones, since a request
 * object also carries what a client sent beyond its class.
 */
export function supplied<T extends object, K extends keyof T>(
  request: T,
  fields: readonly K[],
): Supplied<T, K> {
  const result: Supplied<T, K> = {};
  for (const field of fields) {
    const value = request[field];
    if (value !== undefined && value !== null) result[field] = value;
  }
  return result;
}

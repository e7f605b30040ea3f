type Supplied<T, K extends keyof T> = { [F in K]?: NonNullable<T[F]> };

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

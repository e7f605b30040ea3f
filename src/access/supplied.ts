type SuppliedValues<T, K extends keyof T> = { [F in K]?: NonNullable<T[F]> };
type Supplied<T, K extends keyof T> = { [F in K]?: Exclude<T[F], undefined> };

/** The named fields that a request supplies, including null, which clears a field. */
export function supplied<T extends object, K extends keyof T>(
  request: T,
  fields: readonly K[],
): Supplied<T, K> {
  const result: Supplied<T, K> = {};
  for (const field of fields) {
    const value = request[field];
    if (value !== undefined) result[field] = value as Exclude<T[K], undefined>;
  }
  return result;
}

/**
 * The named fields that a request supplies with a value other than null. Other fields are dropped, because a
 * request object also carries unknown fields sent by the client.
 */
export function suppliedValues<T extends object, K extends keyof T>(
  request: T,
  fields: readonly K[],
): SuppliedValues<T, K> {
  const result: SuppliedValues<T, K> = {};
  for (const field of fields) {
    const value = request[field];
    if (value !== undefined && value !== null) result[field] = value;
  }
  return result;
}

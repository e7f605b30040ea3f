/** SQLSTATE classes and codes of temporary failures. */
const NOT_NOW = /^(08|53|57|58|25006|40001|40P01|55P03)/;

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Messages about lost or missing connections by pg, its pool, TypeORM, ioredis, Citus, libpq and `withDeadline`. */
const WORDS = [
  /^Connection (terminated|ended|is closed)/,
  /^timeout exceeded when trying to connect/,
  /^Query read timeout/,
  /^Timed out after/,
  /^Client (has encountered a connection error|was closed)/,
  /^Cannot use a pool after calling end/,
  /^Query runner already released/,
  /^Driver not Connected/,
  /^Command timed out/,
  /^Stream isn't writeable/,
  /^Reached the max retries per request/,
  /^failure on connection marked as essential/,
  // A node of Citus was lost during COMMIT, as Citus or libpq reports it.
  /^could not commit transaction for shard/,
  /^(server closed the connection|could not (receive|send) data|SSL (SYSCALL|connection)|connection not open|no connection to the server)/,
  // `npm run distribute` moved the tables of a query between its planning and its execution.
  /^cannot perform distributed planning on this query/,
];

/**
 * Whether an error means that Postgres or Redis is unavailable or overloaded, so that a retry may succeed.
 */
export function isStoreFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, driverError, errors } = error as Error & {
    code?: unknown;
    driverError?: unknown;
    errors?: unknown;
  };
  if (typeof code === 'string' && (NETWORK.has(code) || (code.length === 5 && NOT_NOW.test(code))))
    return true;
  if (WORDS.some((words) => words.test(error.message))) return true;
  if (driverError !== error && isStoreFailure(driverError)) return true;
  return Array.isArray(errors) && errors.length > 0 && errors.every(isStoreFailure);
}

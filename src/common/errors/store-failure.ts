/** SQLSTATE classes and codes that say "not now" rather than "not so". */
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

/** What pg, its pool, TypeORM, ioredis and our own deadlines say when a connection is gone or does not come. */
const WORDS = [
  /^Connection (terminated|ended|is closed)/,
  /^timeout exceeded when trying to connect/,
  /^Query read timeout/,
  /^No answer within/,
  /^Client (has encountered a connection error|was closed)/,
  /^Cannot use a pool after calling end/,
  /^Query runner already released/,
  /^Driver not Connected/,
  /^Command timed out/,
  /^Stream isn't writeable/,
  /^Reached the max retries per request/,
];

/** Whether an error means that Postgres or Redis is away or out of breath: the same call may work in a while. */
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

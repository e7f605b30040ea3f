import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

/** Whether a statement failed on a unique constraint. */
export function isUniqueViolation(error: unknown): boolean {
  const said: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return said instanceof DatabaseError && said.code === '23505';
}

/** Whether a COPY may have failed on a unique constraint: Citus passes on errors of a COPY to its nodes as internal ones. */
export function mayBeUniqueViolation(error: unknown): boolean {
  return isUniqueViolation(error) || (error instanceof DatabaseError && error.code === 'XX000');
}

/** What Citus appends to the names of constraints: the id of the shard. */
const SHARD = /_\d{6,}$/;

/** Name of the violated constraint, of a unique one also when only a Citus worker names it; undefined for other errors. */
export function violatedConstraint(error: unknown): string | undefined {
  const said: unknown = error instanceof QueryFailedError ? error.driverError : error;
  if (!(said instanceof DatabaseError)) return undefined;
  // The coordinator passes on a worker's code, message and detail alone.
  const name = said.constraint ?? (isUniqueViolation(said) ? /"([^"]+)"/.exec(said.message)?.[1] : undefined);
  return name?.replace(SHARD, '');
}

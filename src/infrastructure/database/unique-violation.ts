import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

export function isUniqueViolation(error: unknown): boolean {
  const said: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return said instanceof DatabaseError && said.code === '23505';
}

/** Whether a COPY may have failed on a unique constraint: Citus reports errors of its nodes as internal errors. */
export function mayBeUniqueViolation(error: unknown): boolean {
  return isUniqueViolation(error) || (error instanceof DatabaseError && error.code === 'XX000');
}

/** The shard id that Citus appends to the names of constraints. */
const SHARD = /_\d{6,}$/;

/** Name of the violated constraint, also of a unique one reported by a Citus worker; undefined for other errors. */
export function violatedConstraint(error: unknown): string | undefined {
  const said: unknown = error instanceof QueryFailedError ? error.driverError : error;
  if (!(said instanceof DatabaseError)) return undefined;
  // The coordinator passes on only code, message and detail of a worker's error.
  const name = said.constraint ?? (isUniqueViolation(said) ? /"([^"]+)"/.exec(said.message)?.[1] : undefined);
  return name?.replace(SHARD, '');
}

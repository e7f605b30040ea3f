import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

/** Whether a statement failed because another row has what must be unique. */
export function isUniqueViolation(error: unknown): boolean {
  const said: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return said instanceof DatabaseError && said.code === '23505';
}

import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

export function isStatementTimeout(error: unknown): boolean {
  const said: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return said instanceof DatabaseError && said.code === '57014';
}

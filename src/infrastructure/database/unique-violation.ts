import { QueryFailedError } from 'typeorm';

/** Whether a statement failed because another row has what must be unique. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof QueryFailedError && (error.driverError as { code?: string }).code === '23505';
}

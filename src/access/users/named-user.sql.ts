/**
 * Condition on `users u`: the user with a name, in any letter case. Where several names differ only in case, each is
 * found by its exact name alone.
 */
export function isNamed(parameter: string): string {
  return `(lower(u.username) = lower(${parameter}) AND (u.username = ${parameter} OR NOT EXISTS (
    SELECT FROM users other WHERE lower(other.username) = lower(${parameter}) AND other.id <> u.id)))`;
}

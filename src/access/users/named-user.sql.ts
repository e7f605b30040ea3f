/**
 * Condition on `users u`: the user with a name. In another letter case it finds the only one; names that differ only
 * in case exist if they were given before letter case stopped counting.
 */
export function isNamed(parameter: string): string {
  return `(lower(u.username) = lower(${parameter}) AND (u.username = ${parameter} OR NOT EXISTS (
    SELECT FROM users other WHERE lower(other.username) = lower(${parameter}) AND other.id <> u.id)))`;
}

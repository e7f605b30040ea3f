/**
 * Thrown by a test or hook that needs something this machine lacks: its tests are skipped, and the run ends with a list
 * of what is missing. In CI they fail. The message is the need, followed by how to install it in parentheses. See
 * docs/contributing.md#what-a-machine-may-lack
 */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
}

/**
 * Thrown by a test or hook that needs what this machine lacks: its tests are skipped, and the end of the run names the
 * need. In CI they fail. The message is the need, and in brackets how to get it. See
 * docs/contributing.md#what-a-machine-may-lack
 */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
}

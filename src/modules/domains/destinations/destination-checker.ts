/**
 * Injection token of all checkers: `@Inject(DESTINATION_CHECKERS) checkers: readonly DestinationChecker[]`.
 */
export const DESTINATION_CHECKERS = Symbol('DESTINATION_CHECKERS');

/** Detects bad destinations, by the deny-list file or a service such as Safe Browsing. */
export interface DestinationChecker {
  /**
   * @param url an https or http URL with a public host that is not one of ours
   * @returns why it is not allowed, worded to follow the field's name; null if it is allowed
   */
  problemOf(url: URL): Promise<string | null>;
}

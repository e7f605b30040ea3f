/** Injection token of every checker: `@Inject(DESTINATION_CHECKERS) checkers: readonly DestinationChecker[]`. */
export const DESTINATION_CHECKERS = Symbol('DESTINATION_CHECKERS');

/** Something that knows bad destinations: the deny-list file, or a service such as Safe Browsing. */
export interface DestinationChecker {
  /**
   * @param url an https URL whose host is none of ours and no private address
   * @returns why links may not lead there, in words that follow the field's name; null when they may
   */
  problemOf(url: URL): Promise<string | null>;
}

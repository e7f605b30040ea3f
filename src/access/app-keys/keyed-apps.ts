/** An app as the check of its headers needs it. */
export interface KeyedApp {
  readonly id: number;
  readonly organizationId: number;
  readonly name: string;
  /** iOS, Android or Web. */
  readonly platform: string;
  /** SHA-256 of its key. */
  readonly keyHash: Buffer;
  readonly sdkRatePerMinute: number;
}

/**
 * Where live apps are found by their id. Apps are of a floor above, so it is they who provide this; a key that was
 * made anew and an app that was deleted show on every process within a second.
 */
export abstract class KeyedApps {
  /** @returns null when there is no such app, or it was deleted */
  abstract find(id: number): Promise<KeyedApp | null>;
}

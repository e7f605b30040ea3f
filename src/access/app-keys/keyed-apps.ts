/** The fields of an app that its authentication needs. */
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
 * Looks up apps by id. The apps module, which is above this one, implements it; a regenerated key and a
 * deleted app take effect in every process within a second.
 */
export abstract class KeyedApps {
  /** @returns null if the app does not exist or was deleted */
  abstract find(id: number): Promise<KeyedApp | null>;
}

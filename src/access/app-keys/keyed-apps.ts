/** The fields of an app that its authentication needs. */
export interface KeyedApp {
  readonly id: number;
  readonly organizationId: number;
  readonly name: string;
  /** `iOS`, `Android` or `Web`. */
  readonly platform: string;
  /** SHA-256 of the app's key. */
  readonly keyHash: Buffer;
  readonly sdkRatePerMinute: number;
}

/**
 * Looks up apps by id. Implemented by the apps module, which may not be imported here. A regenerated key or a deleted
 * app takes effect in every process within a second.
 */
export abstract class KeyedApps {
  /** @returns null if the app does not exist or was deleted */
  abstract find(id: number): Promise<KeyedApp | null>;
}

/** The fields of an app that its authentication needs. */
export interface KeyedApp {
  readonly id: number;
  readonly organizationId: number;
  readonly name: string;
  /** `iOS`, `Android` or `Web`. */
  readonly platform: string;
  /** SHA-256 of the secret key. */
  readonly keyHash: Buffer;
  /** The secret key, encrypted. */
  readonly apiKey: string;
  readonly publishableKey: string;
  /** Origins whose pages may use the publishable key; empty means any. */
  readonly allowedOrigins: readonly string[];
  readonly sdkRatePerMinute: number;
}

/**
 * Looks up apps by id. Implemented by the apps module, which may not be imported here. A regenerated key or a deleted
 * app takes effect in every process within a second.
 */
export abstract class KeyedApps {
  /** @returns null if the app does not exist or was deleted */
  abstract find(id: number): Promise<KeyedApp | null>;

  /** The app's secret key in clear, with which its server signs the ids of members. */
  abstract secretKeyOf(app: KeyedApp): string;
}

import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Platforms of apps, as the API writes them (docs/concepts/apps.md). */
export const PLATFORMS = ['iOS', 'Android', 'Web'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** A registered mobile or web app. Deleted ones stay, so that their path is never reassigned. */
@Entity('apps')
export class App {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ name: 'app_name', type: 'text' })
  appName!: string;

  /** Immutable, because links refer to an app of a certain platform. */
  @Column({ type: 'text' })
  platform!: Platform;

  /** Bundle ID or package name. */
  @Column({ name: 'bundle_id', type: 'text' })
  bundleId!: string;

  /** URL namespace of its links, unique in the service; immutable. */
  @Column({ type: 'text' })
  path!: string;

  /** SHA-256 of the secret key for the SDK API. */
  @Column({ name: 'api_key_hash', type: 'bytea' })
  apiKeyHash!: Buffer;

  /** The secret key, encrypted (see AppKeys). */
  @Column({ name: 'api_key', type: 'text' })
  apiKey!: string;

  /** In clear, because everybody who has the app can read it there. */
  @Column({ name: 'publishable_key', type: 'text' })
  publishableKey!: string;

  /** Origins whose pages may use the publishable key; empty means any. */
  @Column({ name: 'allowed_origins', type: 'text', array: true })
  allowedOrigins!: string[];

  /** `<scheme>://`. */
  @Column({ type: 'text', nullable: true })
  scheme!: string | null;

  /** Apple's team ID; iOS apps only. */
  @Column({ name: 'team_id', type: 'text', nullable: true })
  teamId!: string | null;

  @Column({ name: 'store_url', type: 'text', nullable: true })
  storeUrl!: string | null;

  @Column({ name: 'app_icon_url', type: 'text', nullable: true })
  appIconUrl!: string | null;

  /** SHA-256 fingerprints of an Android app's signing certificates: `AA:BB:…`, 32 bytes each. */
  @Column({ name: 'sha256_cert_fingerprints', type: 'text', array: true })
  sha256CertFingerprints!: string[];

  /**
   * Whether the association file of the default short domain, which all organizations share, includes this Android app;
   * set by the platform only.
   */
  @Column({ name: 'on_short_domain', type: 'boolean' })
  onShortDomain!: boolean;

  @Column({ name: 'sdk_rate_per_minute', type: 'integer' })
  sdkRatePerMinute!: number;

  /** The user who created it, in person or by a key; null for the platform. */
  @Column({ name: 'created_by', type: 'bigint', nullable: true })
  createdBy!: number | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;
}

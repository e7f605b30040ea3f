import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The secret with which the service signs tokens. */
@Entity('deep_link_keys')
export class DeepLinkKey {
  @PrimaryColumn({ type: 'text' })
  name!: string;

  @Column({ type: 'bytea' })
  key!: Buffer;
}

/**
 * A token of a page that opens an app. The page may report before its click has been counted: columns of the one are
 * null until the other has come.
 */
@Entity('deep_link_tokens')
export class DeepLinkToken {
  @PrimaryColumn({ name: 'issued_at', type: 'timestamptz' })
  issuedAt!: Date;

  /** SHA-256 of the token. */
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @Column({ type: 'smallint', nullable: true })
  kind!: number | null;

  @Column({ name: 'tracked_link_id', type: 'bigint', nullable: true })
  trackedLinkId!: number | null;

  /** The app for the visitor's phone. */
  @Column({ name: 'app_id', type: 'bigint', nullable: true })
  appId!: number | null;

  /** The app for the other platform. */
  @Column({ name: 'other_app_id', type: 'bigint', nullable: true })
  otherAppId!: number | null;

  @Column({ name: 'click_id', type: 'bigint', nullable: true })
  clickId!: number | null;

  @Column({ name: 'session_id', type: 'uuid', nullable: true })
  sessionId!: string | null;

  @Column({ name: 'store_visited_at', type: 'timestamptz', nullable: true })
  storeVisitedAt!: Date | null;

  /** When a start of the app was first attributed to the click. */
  @Column({ name: 'matched_at', type: 'timestamptz', nullable: true })
  matchedAt!: Date | null;

  /** Keyed hash of the address; with the columns below it makes the fingerprint, which is deleted after a day. */
  @Column({ name: 'ip_hash', type: 'bytea', nullable: true })
  ipHash!: Buffer | null;

  @Column({ name: 'user_agent', type: 'text', nullable: true })
  userAgent!: string | null;

  /** Of the screen. */
  @Column({ type: 'text', nullable: true })
  resolution!: string | null;

  @Column({ type: 'text', nullable: true })
  language!: string | null;

  @Column({ name: 'device_model', type: 'text', nullable: true })
  deviceModel!: string | null;

  @Column({ name: 'os_version', type: 'text', nullable: true })
  osVersion!: string | null;

  @Column({ name: 'browser_id', type: 'text', nullable: true })
  browserId!: string | null;
}

import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A stored response to a request with an Idempotency-Key. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** SHA-256 of user, path and key. */
  @PrimaryColumn({ type: 'bytea' })
  scope!: Buffer;

  /** SHA-256 of query and request body. */
  @Column({ type: 'bytea' })
  fingerprint!: Buffer;

  @Column({ type: 'smallint' })
  status!: number;

  /** Headers set by the handler, such as Location. */
  @Column({ type: 'jsonb' })
  headers!: Readonly<Record<string, string>>;

  /** JSON of the response body, encrypted; null for a response without a body. */
  @Column({ type: 'text', nullable: true })
  body!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** The person whose data the response contains, such as `contact:42`. */
  @Column({ type: 'text', nullable: true })
  subject!: string | null;
}

import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Method } from './unsubscribe';

/** An opt-out of an address or number from a channel; kept after deletion, for the feed of deletions. */
@Entity('unsubscribes')
export class UnsubscribeRow {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** From the sequence `unsubscribe_ids`: `sealed` is bound to the id, which must be known before the insert. */
  @PrimaryColumn({ type: 'bigint' })
  id!: number;

  /** Number of the channel, see `channelCode`. */
  @Column({ type: 'smallint' })
  channel!: number;

  /** Position in the channel's feed. */
  @Column({ type: 'bigint' })
  position!: number;

  /** Blind index of the value. */
  @Column({ name: 'value_hash', type: 'bytea' })
  valueHash!: Buffer;

  /** The value's blind index in `contacts`. */
  @Column({ name: 'contact_index', type: 'bytea' })
  contactIndex!: Buffer;

  @Column({ type: 'text' })
  method!: Method;

  /** JSON of value and source, encrypted. */
  @Column({ type: 'text' })
  sealed!: string;

  /** When the person opted out. */
  @Column({ name: 'unsubscribed_at', type: 'timestamptz' })
  unsubscribedAt!: Date;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** Id in the feed of deletions; null while registered. */
  @Column({ name: 'deletion_id', type: 'bigint', nullable: true })
  deletionId!: number | null;

  /** Position in the feed of deletions. */
  @Column({ name: 'deletion_position', type: 'bigint', nullable: true })
  deletionPosition!: number | null;

  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;
}

/** The head of a channel's feeds; its row is locked while entries are added or deleted. */
@Entity('unsubscribe_heads')
export class UnsubscribeHead {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** Number of the channel, see `channelCode`. */
  @PrimaryColumn({ type: 'smallint' })
  channel!: number;

  /** The last assigned position. */
  @Column({ type: 'bigint' })
  position!: number;

  /** Number of registered opt-outs. */
  @Column({ type: 'bigint' })
  total!: number;
}

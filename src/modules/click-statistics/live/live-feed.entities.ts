import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An organization whose counted clicks are announced, because somebody listens or may come back. */
@Entity('live_feeds')
export class LiveFeed {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** Since then, no counted click is missing in the feed. */
  @Column({ name: 'started_at', type: 'timestamptz' })
  startedAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;
}

/** Clicks of one organization that one transaction counted, or a part of them. */
@Entity('live_batches')
export class LiveBatchRow {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** 64-bit id of the transaction. */
  @PrimaryColumn({ type: 'bigint' })
  tx!: number;

  /** Unique in the transaction. */
  @PrimaryColumn({ type: 'integer' })
  part!: number;

  @Column({ type: 'bigint', array: true })
  ids!: number[];

  /** Times of the clicks, by which they are found. */
  @Column({ type: 'timestamptz', array: true })
  times!: Date[];

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}

import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** A customId of a campaign's clicks. */
@Entity('click_users')
export class CampaignCustomer {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'campaign_id', type: 'bigint' })
  campaignId!: number;

  @PrimaryColumn({ name: 'custom_id', type: 'text' })
  customId!: string;

  /** From 1 within the campaign, without large gaps. */
  @Column({ name: 'user_no', type: 'integer' })
  userNo!: number;

  /** UTC day of the last click with it. */
  @Column({ name: 'seen_on', type: 'date' })
  seenOn!: string;
}

/** One slot of the clicks of a customer of a campaign on one UTC day. */
@Entity('click_user_days')
export class CustomerDay {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'campaign_id', type: 'bigint' })
  campaignId!: number;

  /** Number of the CampaignCustomer. */
  @PrimaryColumn({ name: 'user_no', type: 'integer' })
  userNo!: number;

  @PrimaryColumn({ type: 'date' })
  day!: string;

  /** Shard of a counter: concurrent writers use different slots, and readers sum over all of them. */
  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  /** People only, here and in `dimensions`. */
  @Column({ type: 'integer' })
  clicks!: number;

  @Column({ name: 'bot_clicks', type: 'integer' })
  botClicks!: number;

  /** Null if only bots clicked. */
  @Column({ name: 'last_clicked_at', type: 'timestamptz', nullable: true })
  lastClickedAt!: Date | null;

  /** Values with their dimension, such as `country:KR` and `hour:09`. */
  @Column({ type: 'text', array: true })
  dimensions!: string[];

  /** Clicks for each of `dimensions`. */
  @Column({ name: 'dimension_counts', type: 'integer', array: true })
  dimensionCounts!: number[];
}

/** Clicks by customer, added by batches to one UTC day of a campaign. */
@Entity('click_user_adds')
export class CustomerAdditions {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ name: 'campaign_id', type: 'bigint' })
  campaignId!: number;

  @Column({ type: 'date' })
  day!: string;

  /** Whether every CustomerSums of the day and later includes them. */
  @Column({ type: 'boolean' })
  folded!: boolean;

  /** Encoded by `packClicks`. */
  @Column({ type: 'bytea' })
  adds!: Buffer;
}

/** Prefix sum: clicks of all customers of a campaign up to the end of one UTC day. */
@Entity('click_user_sums')
export class CustomerSum {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'campaign_id', type: 'bigint' })
  campaignId!: number;

  @PrimaryColumn({ type: 'date' })
  day!: string;

  /** Clicks by customer number, as 32-bit little-endian integers. */
  @Column({ type: 'bytea' })
  sums!: Buffer;

  /** Time of the last click of each, in seconds since the epoch, in the same form. */
  @Column({ type: 'bytea' })
  lasts!: Buffer;
}

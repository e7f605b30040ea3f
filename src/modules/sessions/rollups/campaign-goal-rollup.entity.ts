import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One slot of the goals of one type and currency that sessions of a campaign reached on one UTC day. */
@Entity('campaign_goal_rollups')
export class CampaignGoalDay {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'campaign_id', type: 'bigint' })
  campaignId!: number;

  @PrimaryColumn({ type: 'date' })
  day!: string;

  @PrimaryColumn({ name: 'goal_type', type: 'text' })
  goalType!: string;

  /** ISO 4217 code. */
  @PrimaryColumn({ type: 'text' })
  currency!: string;

  /** Shard of a counter: concurrent writers use different slots, and readers sum over all of them. */
  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  @Column({ type: 'integer' })
  goals!: number;

  /** A decimal string, as Postgres returns it. */
  @Column({ type: 'numeric', precision: 24, scale: 4 })
  value!: string;
}

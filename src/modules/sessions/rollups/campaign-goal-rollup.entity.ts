import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A part of the goals of one type and currency that sessions of a campaign reached on one UTC day. */
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

  /** ISO 4217; empty for none. */
  @PrimaryColumn({ type: 'text' })
  currency!: string;

  /** Concurrent writers use different slots; a figure is the sum over slots. */
  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  @Column({ type: 'integer' })
  goals!: number;

  /** As Postgres writes it. */
  @Column({ type: 'numeric', precision: 24, scale: 4 })
  value!: string;
}

import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { Plan } from '../caller';
import type { LimitOverrides } from '../limits/limits';

/** A tenant. */
@Entity('organizations')
export class Organization {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ type: 'text' })
  name!: string;

  /** Name shown to visitors instead of `name`. */
  @Column({ name: 'brand_name', type: 'text', nullable: true })
  brandName!: string | null;

  @Column({ name: 'logo_url', type: 'text', nullable: true })
  logoUrl!: string | null;

  /** `#rrggbb` */
  @Column({ name: 'brand_color', type: 'text', nullable: true })
  brandColor!: string | null;

  @Column({ name: 'time_zone', type: 'text' })
  timeZone!: string;

  /** Null: never. */
  @Column({ name: 'time_zone_changed_at', type: 'timestamptz', nullable: true })
  timeZoneChangedAt!: Date | null;

  @Column({ name: 'base_currency', type: 'text' })
  baseCurrency!: string;

  @Column({ name: 'default_region', type: 'text' })
  defaultRegion!: string;

  @Column({ type: 'text' })
  plan!: Plan;

  @Column({ name: 'service_rate_per_minute', type: 'integer' })
  serviceRatePerMinute!: number;

  @Column({ name: 'max_custom_fields', type: 'integer' })
  maxCustomFields!: number;

  @Column({ name: 'max_custom_field_name', type: 'integer' })
  maxCustomFieldName!: number;

  @Column({ name: 'max_custom_field_value', type: 'integer' })
  maxCustomFieldValue!: number;

  @Column({ name: 'custom_metric_limit', type: 'integer' })
  customMetricLimit!: number;

  /** Default of links and campaigns: whether the click's token is appended to destinations. */
  @Column({ name: 'append_click_id', type: 'boolean' })
  appendClickId!: boolean;

  @Column({ name: 'allow_http_destinations', type: 'boolean' })
  allowHttpDestinations!: boolean;

  /** First day of the plan, `YYYY-MM-DD`; null: the day of the organization's creation. */
  @Column({ name: 'plan_started_on', type: 'date', nullable: true })
  planStartDate!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;
}

export type LimitedOrganization = Organization & { readonly limits: LimitOverrides };

import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { LimitOverrides } from './limits';

@Entity('organization_limits')
export class OrganizationLimits implements LimitOverrides {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ type: 'bigint', nullable: true })
  links!: number | null;

  @Column({ name: 'monthly_clicks', type: 'bigint', nullable: true })
  monthlyClicks!: number | null;

  @Column({ type: 'bigint', nullable: true })
  contacts!: number | null;

  @Column({ name: 'concurrent_imports', type: 'integer', nullable: true })
  concurrentImports!: number | null;

  @Column({ name: 'import_rows', type: 'integer', nullable: true })
  importRows!: number | null;

  @Column({ name: 'webhook_endpoints', type: 'integer', nullable: true })
  webhookEndpoints!: number | null;

  @Column({ name: 'apps', type: 'integer', nullable: true })
  apps!: number | null;

  @Column({ name: 'custom_domains', type: 'integer', nullable: true })
  customDomains!: number | null;

  @Column({ name: 'campaigns', type: 'integer', nullable: true })
  campaigns!: number | null;

  @Column({ name: 'contact_groups', type: 'integer', nullable: true })
  contactGroups!: number | null;

  @Column({ name: 'api_keys', type: 'integer', nullable: true })
  apiKeys!: number | null;

  @Column({ name: 'users', type: 'integer', nullable: true })
  users!: number | null;

  @Column({ name: 'invitations', type: 'integer', nullable: true })
  invitations!: number | null;

  @Column({ name: 'allow_list_entries', type: 'integer', nullable: true })
  allowListEntries!: number | null;

  @Column({ name: 'live_listeners', type: 'integer', nullable: true })
  liveListeners!: number | null;

  @Column({ name: 'click_retention_days', type: 'integer', nullable: true })
  clickRetentionDays!: number | null;

  @Column({ name: 'event_retention_days', type: 'integer', nullable: true })
  eventRetentionDays!: number | null;

  @Column({ name: 'rollup_retention_months', type: 'integer', nullable: true })
  rollupRetentionMonths!: number | null;

  @Column({ name: 'audit_retention_months', type: 'integer', nullable: true })
  auditRetentionMonths!: number | null;
}

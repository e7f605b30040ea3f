import { Entity, PrimaryColumn } from 'typeorm';

/** A month whose clicks have passed the limit of an organization, which has been notified. */
@Entity('click_limit_notices')
export class ClickLimitNotice {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** First day of the month. */
  @PrimaryColumn({ type: 'date' })
  month!: string;
}

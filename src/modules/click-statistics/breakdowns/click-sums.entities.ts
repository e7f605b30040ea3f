import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Sums of an organization over a period. A row without a claim is exact: late clicks delete it. */
abstract class PeriodRow {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** First day of the period in the organization's time zone. */
  @PrimaryColumn({ type: 'date' })
  start!: string;

  /** A value of UNIT. */
  @PrimaryColumn({ type: 'smallint' })
  unit!: number;
}

/** Totals of a period, and whether the other rows of the period are valid. */
@Entity('click_sums')
export class ClickSumRow extends PeriodRow {
  /** Number of the run that is summing the period up; null once it has. */
  @Column({ type: 'bigint', nullable: true })
  claim!: number | null;

  @Column({ type: 'bigint' })
  clicks!: number;

  @Column({ type: 'bigint' })
  bots!: number;

  @Column({ type: 'bigint' })
  visitors!: number;
}

/** Sums by the values of a dimension of which there are few; `keys[i]` has `clicks[i]`, and so on. */
@Entity('click_breakdowns')
export class ClickBreakdownRow extends PeriodRow {
  @PrimaryColumn({ type: 'text' })
  dimension!: string;

  @Column({ type: 'text', array: true })
  keys!: string[];

  @Column({ type: 'bigint', array: true })
  clicks!: number[];

  @Column({ type: 'bigint', array: true })
  bots!: number[];

  @Column({ type: 'bigint', array: true })
  visitors!: number[];
}

/** Sums by link or campaign, as `packSums` encodes them. */
@Entity('click_link_sums')
export class ClickLinkSumRow extends PeriodRow {
  /** `link` or `campaign`. */
  @PrimaryColumn({ type: 'text' })
  dimension!: string;

  /** The row has the ids that leave this remainder when divided by `buckets`. */
  @PrimaryColumn({ type: 'integer' })
  bucket!: number;

  @Column({ type: 'integer' })
  buckets!: number;

  @Column({ type: 'bytea' })
  clicks!: Buffer;

  @Column({ type: 'bytea' })
  bots!: Buffer;

  @Column({ type: 'bytea' })
  visitors!: Buffer;
}

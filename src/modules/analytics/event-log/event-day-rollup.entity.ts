import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Events of an app's sessions on one day. */
@Entity('event_day_rollups')
export class EventDayRollup {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'app_id', type: 'bigint' })
  appId!: number;

  /** In the organization's time zone. */
  @PrimaryColumn({ type: 'date' })
  day!: string;

  /** Empty for all types together. */
  @PrimaryColumn({ name: 'event_type', type: 'text' })
  eventType!: string;

  /** Days since the sessions had such an event before; -1: never. */
  @PrimaryColumn({ type: 'integer' })
  gap!: number;

  @Column({ type: 'bigint' })
  events!: number;

  @Column({ type: 'bigint' })
  sessions!: number;
}

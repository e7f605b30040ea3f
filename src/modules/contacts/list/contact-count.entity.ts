import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Origin } from '../contact';

/** A part of the number of active contacts with an origin and set of consents, maintained by triggers. */
@Entity('contact_counts')
export class ContactCount {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** Concurrent transactions write to different slots; the number is the sum over the slots. */
  @PrimaryColumn({ type: 'integer' })
  slot!: number;

  @PrimaryColumn({ type: 'text' })
  origin!: Origin;

  @PrimaryColumn({ name: 'push_opt_in', type: 'boolean' })
  pushOptIn!: boolean;

  @PrimaryColumn({ name: 'sms_opt_in', type: 'boolean' })
  smsOptIn!: boolean;

  @PrimaryColumn({ name: 'email_opt_in', type: 'boolean' })
  emailOptIn!: boolean;

  @Column({ type: 'bigint' })
  contacts!: number;
}

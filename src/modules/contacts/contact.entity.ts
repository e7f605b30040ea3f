import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Consents, Origin } from './contact';

/** A row of a contact; `Contact` is its decrypted form. */
@Entity('contacts')
export class ContactRow implements Consents {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** From the sequence `contact_ids`: encrypted values are bound to the id, which must be known before the insert. */
  @PrimaryColumn({ type: 'bigint' })
  id!: number;

  @Column({ name: 'external_user_id', type: 'text', nullable: true })
  externalUserId!: string | null;

  @Column({ type: 'text' })
  origin!: Origin;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  /** The name, normalized for search. */
  @Column({ name: 'search_name', type: 'text', nullable: true })
  searchName!: string | null;

  /** Encrypted. */
  @Column({ type: 'text', nullable: true })
  phone!: string | null;

  /** Blind indexes, here and below. */
  @Column({ name: 'phone_index', type: 'bytea', nullable: true })
  phoneIndex!: Buffer | null;

  @Column({ name: 'phone_last4_index', type: 'bytea', nullable: true })
  phoneLast4Index!: Buffer | null;

  /** Encrypted. */
  @Column({ type: 'text', nullable: true })
  email!: string | null;

  @Column({ name: 'email_index', type: 'bytea', nullable: true })
  emailIndex!: Buffer | null;

  @Column({ name: 'email_local_index', type: 'bytea', nullable: true })
  emailLocalIndex!: Buffer | null;

  @Column({ name: 'email_domain_index', type: 'bytea', nullable: true })
  emailDomainIndex!: Buffer | null;

  /** Encrypted. */
  @Column({ name: 'push_identify', type: 'text', nullable: true })
  pushIdentify!: string | null;

  @Column({ name: 'push_token_idx', type: 'bigint', nullable: true })
  pushTokenIdx!: number | null;

  @Column({ type: 'text', nullable: true })
  locale!: string | null;

  @Column({ name: 'push_opt_in', type: 'boolean' })
  pushOptIn!: boolean;

  @Column({ name: 'sms_opt_in', type: 'boolean' })
  smsOptIn!: boolean;

  @Column({ name: 'email_opt_in', type: 'boolean' })
  emailOptIn!: boolean;

  @Column({ name: 'alimtalk_opt_in', type: 'boolean' })
  alimtalkOptIn!: boolean;

  @Column({ name: 'whatsapp_opt_in', type: 'boolean' })
  whatsappOptIn!: boolean;

  @Column({ name: 'push_ad_opt_in', type: 'boolean' })
  pushAdOptIn!: boolean;

  @Column({ name: 'sms_ad_opt_in', type: 'boolean' })
  smsAdOptIn!: boolean;

  @Column({ name: 'email_ad_opt_in', type: 'boolean' })
  emailAdOptIn!: boolean;

  @Column({ name: 'alimtalk_ad_opt_in', type: 'boolean' })
  alimtalkAdOptIn!: boolean;

  @Column({ name: 'night_ad_opt_in', type: 'boolean' })
  nightAdOptIn!: boolean;

  @Column({ type: 'text', array: true })
  tags!: string[];

  @Column({ name: 'custom_fields', type: 'jsonb' })
  customFields!: Record<string, string>;

  @Column({ type: 'boolean' })
  blocked!: boolean;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  /** Null for an active contact. */
  @Column({ name: 'deactivated_at', type: 'timestamptz', nullable: true })
  deactivatedAt!: Date | null;
}

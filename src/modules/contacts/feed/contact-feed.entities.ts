import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The latest change of a contact, which a trigger records; deleted contacts keep theirs. */
@Entity('contact_changes')
export class LatestContactChange {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'contact_id', type: 'bigint' })
  contactId!: number;

  /** Its place in the organization's feed; a later change has a higher one. */
  @Column({ type: 'bigint' })
  position!: number;

  /** Member id of a deleted contact, for a while; null for the others. */
  @Column({ name: 'external_user_id', type: 'text', nullable: true })
  externalUserId!: string | null;

  /** When the contact was deleted; null while it exists. */
  @Column({ name: 'erased_at', type: 'timestamptz', nullable: true })
  erasedAt!: Date | null;
}

/** The last position of an organization's feed of contacts. */
@Entity('contact_heads')
export class ContactHead {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ type: 'bigint' })
  position!: number;
}

import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The latest change of a contact, recorded by a trigger; kept after the contact is deleted. */
@Entity('contact_changes')
export class LatestContactChange {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'contact_id', type: 'bigint' })
  contactId!: number;

  /** Position in the organization's feed; later changes have higher positions. */
  @Column({ type: 'bigint' })
  position!: number;

  /** Member id of a deleted contact, kept for 30 days; null for other contacts. */
  @Column({ name: 'external_user_id', type: 'text', nullable: true })
  externalUserId!: string | null;

  /** When the contact was deleted; null while it exists. */
  @Column({ name: 'erased_at', type: 'timestamptz', nullable: true })
  erasedAt!: Date | null;
}

/** The last position of an organization's contact feed. */
@Entity('contact_heads')
export class ContactHead {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ type: 'bigint' })
  position!: number;
}

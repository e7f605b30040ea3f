import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** A group of contacts. */
@Entity('contact_groups')
export class ContactGroup {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  /** Unique in the organization. */
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  /** One group per organization, which gets new contacts without a group. */
  @Column({ name: 'is_default', type: 'boolean', default: false })
  isDefault!: boolean;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}

/** A contact's membership of a group. */
@Entity('contact_group_members')
export class ContactGroupMember {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'group_id', type: 'bigint' })
  groupId!: number;

  @PrimaryColumn({ name: 'contact_id', type: 'bigint' })
  contactId!: number;
}

/** A part of a group's number of members, maintained by triggers. */
@Entity('contact_group_counts')
export class ContactGroupCount {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'group_id', type: 'bigint' })
  groupId!: number;

  /** Concurrent transactions write to different slots; the number is the sum over the slots. */
  @PrimaryColumn({ type: 'integer' })
  slot!: number;

  @Column({ type: 'bigint' })
  members!: number;
}

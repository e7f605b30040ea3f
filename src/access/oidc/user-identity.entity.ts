import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An account at an identity provider that a user signs in with: at most one per user and provider. */
@Entity('user_identities')
export class UserIdentity {
  @PrimaryColumn({ type: 'text' })
  issuer!: string;

  /** The provider's permanent id of the account (`sub`). */
  @PrimaryColumn({ type: 'text' })
  subject!: string;

  @Column({ name: 'user_id', type: 'bigint' })
  userId!: number;

  @Column({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}

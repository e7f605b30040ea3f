import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

@Entity('debug_schemes')
export class DebugSchemeRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @PrimaryColumn({ name: 'received_at', type: 'timestamptz' })
  receivedAt!: Date;

  /** Null if neither package nor scheme identifies the owner of the app. */
  @Column({ name: 'organization_id', type: 'bigint', nullable: true })
  organizationId!: number | null;

  @Column({ name: 'app_id', type: 'bigint', nullable: true })
  appId!: number | null;

  @Column({ name: 'app_url', type: 'text', nullable: true })
  appUrl!: string | null;

  @Column({ name: 'scheme_end', type: 'text', nullable: true })
  schemeEnd!: string | null;

  @Column({ name: 'path_part', type: 'text', nullable: true })
  pathPart!: string | null;

  @Column({ name: 'android_package', type: 'text', nullable: true })
  androidPackage!: string | null;

  @Column({ name: 'app_scheme', type: 'text', nullable: true })
  appScheme!: string | null;

  @Column({ name: 'intent_url', type: 'text', nullable: true })
  intentUrl!: string | null;
}

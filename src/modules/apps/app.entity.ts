import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Where an app runs, as the API writes it (doc 1 §2). */
export const PLATFORMS = ['iOS', 'Android', 'Web'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** A registered mobile or web app. */
@Entity('apps')
export class App {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ name: 'app_name', type: 'text' })
  appName!: string;

  @Column({ type: 'text' })
  platform!: Platform;

  /** URL namespace of its links, unique in the service; never changes. */
  @Column({ type: 'text' })
  path!: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;
}

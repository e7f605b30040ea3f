import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { InstallPlatform } from '../funnel';

/** The first start of an app on a device. */
@Entity('app_installs')
export class AppInstallRow {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ name: 'app_id', type: 'bigint' })
  appId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @Column({ type: 'smallint', nullable: true })
  kind!: number | null;

  @Column({ name: 'tracked_link_id', type: 'bigint', nullable: true })
  trackedLinkId!: number | null;

  @Column({ name: 'session_id', type: 'uuid' })
  sessionId!: string;

  @Column({ type: 'text' })
  platform!: InstallPlatform;

  /** ISO 3166-1 alpha-2. */
  @Column({ type: 'text', nullable: true })
  country!: string | null;

  @Column({ name: 'os_version', type: 'text', nullable: true })
  osVersion!: string | null;

  @Column({ name: 'device_model', type: 'text', nullable: true })
  deviceModel!: string | null;

  @Column({ name: 'installed_at', type: 'timestamptz' })
  installedAt!: Date;
}

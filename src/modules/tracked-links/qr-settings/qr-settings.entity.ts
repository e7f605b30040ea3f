import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { QrPreset } from './qr-style';

/** What QR codes of an organization have in common; organizations that have set nothing have no row. */
@Entity('qr_settings')
export class QrSettings {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ type: 'json' })
  presets!: QrPreset[];

  /** A PNG; read where it is needed only. */
  @Column({ type: 'bytea', nullable: true, select: false })
  logo!: Buffer | null;
}

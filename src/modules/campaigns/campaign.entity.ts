import { Column, Entity } from 'typeorm';
import { TargetEntity } from '../tracked-links/tracked-link.entity';

/** A campaign link, `/c/<alias>`; its alias is what a link calls its code. */
@Entity('campaigns')
export class Campaign extends TargetEntity {
  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'alias', type: 'text' })
  code!: string;

  @Column({ name: 'alias_released', type: 'boolean' })
  codeReleased!: boolean;

  /** Name of the user who made it, as it was then; null for the platform. */
  @Column({ type: 'text', nullable: true })
  username!: string | null;

  /** The name as a search looks for it. */
  @Column({ name: 'folded_name', type: 'text' })
  foldedName!: string;
}

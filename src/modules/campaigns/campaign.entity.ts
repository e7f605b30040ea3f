import { Column, Entity } from 'typeorm';
import { TrackedLinkEntity } from '../tracked-links/tracked-link.entity';

/** A campaign link, `/c/<alias>`; its alias is its code. */
@Entity('campaigns')
export class Campaign extends TrackedLinkEntity {
  @Column({ type: 'text' })
  name!: string;

  /** Name of the user who created it, as of then; null for the platform. */
  @Column({ type: 'text', nullable: true })
  username!: string | null;

  /** The name in the form that searches compare. */
  @Column({ name: 'folded_name', type: 'text' })
  foldedName!: string;
}

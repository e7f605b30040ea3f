import { Column, Entity } from 'typeorm';
import { TrackedLinkEntity } from '../tracked-links/tracked-link.entity';
import type { TargetingRule, Variant } from '../tracked-links/routing/routing';

@Entity('links')
export class Link extends TrackedLinkEntity {
  @Column({ type: 'text' })
  code!: string;

  @Column({ name: 'code_released', type: 'boolean' })
  codeReleased!: boolean;

  /** As supplied; distinct regardless of case. */
  @Column({ type: 'text', array: true })
  tags!: string[];

  /** The tags in lower case, for searching. */
  @Column({ name: 'tag_keys', type: 'text', array: true })
  tagKeys!: string[];

  /** Created by `hashPassword`; null: no password is required. */
  @Column({ name: 'password_hash', type: 'text', nullable: true })
  passwordHash!: string | null;

  /** Maximum number of visits by people; null: no limit. */
  @Column({ name: 'max_clicks', type: 'integer', nullable: true })
  maxClicks!: number | null;

  /** Visits that counted towards `maxClicks`; written by LinkPasses only. */
  @Column({ name: 'used_clicks', type: 'integer', insert: false, update: false })
  usedClicks!: number;

  /** The first rule that matches a visitor applies. */
  @Column({ type: 'json', nullable: true })
  targeting!: TargetingRule[] | null;

  /** Destinations among which visitors are distributed. */
  @Column({ type: 'json', nullable: true })
  variants!: Variant[] | null;
}

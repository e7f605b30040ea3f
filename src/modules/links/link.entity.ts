import { Column, Entity } from 'typeorm';
import { TargetEntity } from '../tracked-links/tracked-link.entity';
import type { TargetingRule, Variant } from './routing/link-routing';

/** A short link. */
@Entity('links')
export class Link extends TargetEntity {
  @Column({ type: 'text' })
  code!: string;

  @Column({ name: 'code_released', type: 'boolean' })
  codeReleased!: boolean;

  /** As they were given, distinct in lower case. */
  @Column({ type: 'text', array: true })
  tags!: string[];

  /** The tags in lower case, which is how they are looked for. */
  @Column({ name: 'tag_keys', type: 'text', array: true })
  tagKeys!: string[];

  /** By `hashPassword`; null: no password is asked for. */
  @Column({ name: 'password_hash', type: 'text', nullable: true })
  passwordHash!: string | null;

  /** How many visits of people are let through; null: all. */
  @Column({ name: 'max_clicks', type: 'integer', nullable: true })
  maxClicks!: number | null;

  /** Visits that were let through while `maxClicks` was set; LinkPasses alone counts here. */
  @Column({ name: 'used_clicks', type: 'integer', insert: false, update: false })
  usedClicks!: number;

  /** The first rule that a visitor meets says where he goes; null without rules. */
  @Column({ type: 'json', nullable: true })
  targeting!: TargetingRule[] | null;

  /** Destinations that visitors are spread over; null without. */
  @Column({ type: 'json', nullable: true })
  variants!: Variant[] | null;
}

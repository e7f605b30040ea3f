import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Uncounted clicks of one commit, journaled in Postgres while Redis is unavailable or not configured. */
@Entity('click_journal')
export class JournalEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  /** One line for each click, from `encodeClick`. */
  @Column({ type: 'text' })
  lines!: string;

  @Column({ type: 'integer' })
  clicks!: number;
}

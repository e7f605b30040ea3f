import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Clicks of one commit that have not been counted, journalled in Postgres for want of Redis. */
@Entity('click_journal')
export class JournalEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  /** A line for each click, as `encodeClick` writes it. */
  @Column({ type: 'text' })
  lines!: string;

  @Column({ type: 'integer' })
  clicks!: number;
}

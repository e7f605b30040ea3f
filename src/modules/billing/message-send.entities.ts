import { Column, Entity, PrimaryColumn } from 'typeorm';

export const SEND_STATUSES = ['SUCCESS', 'FAILED', 'UNSENT'] as const;
export type SendStatus = (typeof SEND_STATUSES)[number];

/** A message that was sent or failed. */
@Entity('message_sends')
export class SentMessage {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'message_id', type: 'text' })
  messageId!: string;

  @Column({ name: 'channel_type', type: 'text' })
  channelType!: string;

  @Column({ type: 'text' })
  status!: SendStatus;

  /** Cost of a successful send, in the notation of Postgres. */
  @Column({ type: 'numeric', precision: 20, scale: 4 })
  rate!: string;

  @Column({ name: 'sent_at', type: 'timestamptz' })
  sentAt!: Date;
}

/** Successful sends of a day and channel; the number is the sum over the slots. */
@Entity('message_send_rollups')
export class MessageSendRollup {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** In the organization's time zone at the time of writing. */
  @PrimaryColumn({ type: 'date' })
  day!: string;

  @PrimaryColumn({ name: 'channel_type', type: 'text' })
  channelType!: string;

  /** Concurrent processes write to different slots. */
  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  @Column({ type: 'bigint' })
  sends!: number;

  @Column({ name: 'rate_sum', type: 'numeric', precision: 24, scale: 4 })
  rateSum!: string;
}

import { ApiProperty } from '@nestjs/swagger';
import { EVENT_NAMES, type EventName } from '../outbox/outbox-event';

/** The body of every delivery (docs/webhooks.md#a-delivery). */
export class WebhookEnvelope {
  @ApiProperty({ enum: EVENT_NAMES, description: 'What happened', example: 'webhook.test' })
  event!: EventName;

  @ApiProperty({
    description:
      'Id of the delivery, the same for retries, redeliveries and replays: use it to ignore duplicates',
    example: '01a1f815-7c00-7c4e-9b1a-5f2d8e6c0b17',
  })
  delivery_id!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description: 'The organization of the event',
    example: 1,
  })
  organization_id!: number;

  @ApiProperty({ format: 'date-time', description: 'Time of the event', example: '2026-11-20T08:32:00Z' })
  created_at!: string;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Data of the event' })
  data!: object;
}

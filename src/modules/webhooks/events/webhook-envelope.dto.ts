import { DATE_TIME, INT64, Field } from '../../../common/http/api-field';
import { EVENT_NAMES, type EventName } from '../outbox/outbox-event';

/** The body of every delivery (docs/webhooks.md#a-delivery). */
export class WebhookEnvelope {
  @Field('What happened', 'webhook.test', { enum: EVENT_NAMES })
  event!: EventName;

  @Field(
    'Id of the delivery, the same for retries, redeliveries and replays: use it to ignore duplicates',
    '01a1f815-7c00-7c4e-9b1a-5f2d8e6c0b17',
  )
  delivery_id!: string;

  @Field('The organization of the event', 1, INT64)
  organization_id!: number;

  @Field('Time of the event', '2026-11-20T08:32:00Z', DATE_TIME)
  created_at!: string;

  @Field('Data of the event', undefined, { type: 'object', additionalProperties: true })
  data!: object;
}

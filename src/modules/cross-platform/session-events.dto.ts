import { DATE_TIME, DATE_TIME_OR_NULL, INT64, TEXT_OR_NULL, Field } from '../../common/http/api-field';
import { pageOf } from '../../common/pagination/page';
import { DateTimeText, Identifier, Text } from '../../common/validation/atoms';
import { JsonObject } from '../../common/validation/json-object';
import { ClientTimeZone } from '../../common/validation/lenient';
import { MAX_METRIC } from '../contacts/contact-activity';
import { EndUserFields } from '../sessions/end-user.dto';
import { SESSION_ID } from './sessions.dto';

/** An event in a session (docs/concepts/sessions.md#events). */
export class RecordEventRequest extends EndUserFields {
  @Text(SESSION_ID)
  sessionId!: string;

  @Identifier({
    max: MAX_METRIC,
    description: "Type of the event; also the name of the metric in the contact's activity",
    example: 'add_to_cart',
  })
  eventType!: string;

  @JsonObject({
    description:
      'Properties of the event. `amount` is added to the sum of the metric, with a `currency` only if that is the ' +
      "organization's base currency",
    example: { amount: 42.5, currency: 'USD' },
    optional: true,
  })
  eventData?: Record<string, unknown> | null;

  @DateTimeText({
    description:
      'Time of the event by the clock of the client, UTC; an event repeated with the same time counts once',
    example: '2026-11-20T08:32:00.125Z',
    optional: true,
  })
  clientTimestamp?: string | null;

  @ClientTimeZone({ description: 'Time zone of the client' })
  clientTimezone?: string | null;
}

export class RecordEventResponse {
  @Field('true', true)
  success!: true;

  @Field('Id of the event', 42, INT64)
  eventId!: number;

  @Field('Id of the session, as sent by the client', SESSION_ID.example)
  sessionId!: string;

  @Field('What happened', 'add_to_cart')
  eventType!: string;
}

export class SessionEventResponse {
  @Field('Id of the event', 42, INT64)
  id!: number;

  @Field('What happened', 'add_to_cart')
  eventType!: string;

  @Field(
    'Properties of the event',
    { amount: 42.5, currency: 'USD' },
    { type: 'object', additionalProperties: true, nullable: true },
  )
  eventData!: Record<string, unknown> | null;

  @Field('Time of the event by the clock of the client', '2026-11-20T08:32:00Z', DATE_TIME_OR_NULL)
  clientTimestamp!: string | null;

  @Field('Time zone of the client', 'America/New_York', TEXT_OR_NULL)
  clientTimezone!: string | null;

  @Field('Time of receipt', '2026-11-20T08:32:01Z', DATE_TIME)
  receivedAt!: string;
}

export class SessionEventPage extends pageOf(SessionEventResponse, 'SessionEventPage') {}

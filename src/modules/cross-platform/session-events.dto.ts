import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../../common/pagination/page';
import { DateTimeText, Identifier, Text } from '../../common/validation/atoms';
import { JsonObject } from '../../common/validation/json-object';
import { ClientTimeZone } from '../../common/validation/lenient';
import { MAX_METRIC } from '../contacts/members/contact-activity';
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
  @ApiProperty({ description: 'true', example: true })
  success!: true;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the event', example: 42 })
  eventId!: number;

  @ApiProperty({ description: 'Id of the session, as sent by the client', example: SESSION_ID.example })
  sessionId!: string;

  @ApiProperty({ description: 'What happened', example: 'add_to_cart' })
  eventType!: string;
}

export class SessionEventResponse {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the event', example: 42 })
  id!: number;

  @ApiProperty({ description: 'What happened', example: 'add_to_cart' })
  eventType!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Properties of the event',
    example: { amount: 42.5, currency: 'USD' },
  })
  eventData!: Record<string, unknown> | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time of the event by the clock of the client',
    example: '2026-11-20T08:32:00Z',
  })
  clientTimestamp!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Time zone of the client',
    example: 'America/New_York',
  })
  clientTimezone!: string | null;

  @ApiProperty({ format: 'date-time', description: 'Time of receipt', example: '2026-11-20T08:32:01Z' })
  receivedAt!: string;
}

export class SessionEventPage extends pageOf(SessionEventResponse, 'SessionEventPage') {}

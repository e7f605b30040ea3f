import {
  DATE_TIME,
  DATE_TIME_OR_NULL,
  INT64,
  INTEGER,
  INTEGER_OR_NULL,
  TEXT_OR_NULL,
  Field,
} from '../../../common/http/api-field';
import { PageQuery, pageOf } from '../../../common/pagination/page';
import { toDateTime } from '../../../common/time/format';
import { DateTimeText, OneOf, Text } from '../../../common/validation/atoms';
import { type Attempt, DELIVERY_STATUSES, type DeliveryStatus } from '../delivery';
import type { DetailedDelivery, LoggedDelivery } from '../deliveries/delivery-log';
import { headersOf } from '../deliveries/delivery-client';
import { TEST_VECTOR } from '../deliveries/receivers';
import { EVENT_NAMES, type EventName } from '../outbox/outbox-event';

export const DELIVERY_ID = '0197a3c1-5b7e-7c4d-9a2f-3e5d6c7b8a90';
const optional = true;

export const UUID_TEXT = {
  min: 36,
  max: 36,
  pattern: /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
  patternText: 'must be a UUID',
};

export class DeliveryPath {
  @Text({
    ...UUID_TEXT,
    description: '`delivery_id` of a delivery in the log, else NOT_FOUND',
    example: DELIVERY_ID,
  })
  deliveryId!: string;
}

export class DeliveryLogQuery extends PageQuery {
  @OneOf(DELIVERY_STATUSES, { description: 'Only deliveries in this status', example: 'FAILED', optional })
  status?: DeliveryStatus | null;

  @OneOf(EVENT_NAMES, { description: 'Only deliveries of this event', example: 'contact.created', optional })
  event?: EventName | null;

  @DateTimeText({
    description: 'Only events from this time on; a date means its first second, UTC',
    example: '2026-11-20T00:00:00Z',
    optional,
  })
  from?: string | null;

  @DateTimeText({
    description: 'Only events before this time; a date means its last second, UTC',
    example: '2026-11-21T00:00:00Z',
    optional,
  })
  to?: string | null;
}

class AttemptResponse {
  @Field('Start of the attempt', '2026-11-20T08:32:00Z', DATE_TIME)
  at!: string;

  @Field('Duration in milliseconds', 84, INTEGER)
  latencyMs!: number;

  @Field('Status of the response', 503, INTEGER_OR_NULL)
  statusCode!: number | null;

  @Field('Why there was no response', 'TIMEOUT', TEXT_OR_NULL)
  error!: string | null;

  @Field('First KiB of the response', 'try later', TEXT_OR_NULL)
  answer!: string | null;
}

export class DeliveryResponse {
  @Field('`delivery_id`, the same at every attempt', DELIVERY_ID, { format: 'uuid' })
  deliveryId!: string;

  @Field('What happened', 'contact.created', { enum: EVENT_NAMES })
  event!: string;

  @Field('PENDING until the receiver has accepted the delivery or the last attempt has failed', 'DELIVERED', {
    enum: DELIVERY_STATUSES,
  })
  status!: DeliveryStatus;

  @Field('Time of the event', '2026-11-20T08:32:00Z', DATE_TIME)
  createdAt!: string;

  @Field('Time of the next attempt', null, DATE_TIME_OR_NULL)
  nextAttemptAt!: string | null;

  @Field('The last 20 attempts, oldest first', undefined, { type: [AttemptResponse] })
  attempts!: AttemptResponse[];
}

/** A request to a receiver in examples. */
const SENT_HEADERS = {
  'Content-Type': 'application/json',
  'User-Agent': 'Waypost-Webhooks/1',
  ...TEST_VECTOR.headers,
};

export const SentHeaders = () =>
  Field('Headers with the signatures; `Host` and `Content-Length` follow from URL and body', SENT_HEADERS, {
    type: 'object',
    additionalProperties: { type: 'string' },
  });

class AttemptRequestResponse {
  @Field(
    'URL of the receiver at the time; null if a listener pulled the delivery',
    'https://hooks.example.com/waypost',
    TEXT_OR_NULL,
  )
  url!: string | null;

  @SentHeaders()
  headers!: Record<string, string>;
}

class DetailedAttemptResponse extends AttemptResponse {
  @Field('The request, without its body', undefined, { type: AttemptRequestResponse, nullable: true })
  request!: AttemptRequestResponse | null;
}

export class DetailedDeliveryResponse extends DeliveryResponse {
  @Field('Id of the endpoint', 7, INT64)
  webhookId!: number;

  @Field(
    'Body of each request, byte for byte; null once the event has been deleted',
    TEST_VECTOR.body,
    TEXT_OR_NULL,
  )
  body!: string | null;

  @Field('The last 20 attempts, oldest first', undefined, { type: [DetailedAttemptResponse] })
  declare attempts: DetailedAttemptResponse[];
}

export class DeliveryPage extends pageOf(DeliveryResponse, 'DeliveryPage') {}

export class AcceptedDeliveryResponse {
  @Field('`delivery_id` of the delivery', DELIVERY_ID, { format: 'uuid' })
  deliveryId!: string;
}

export class ReplayResponse {
  @Field('Start of the replay', '2026-11-20T08:00:00Z', DATE_TIME)
  since!: string;
}

export function toDeliveryResponse(delivery: LoggedDelivery): DeliveryResponse {
  const { id, event, status, createdAt, nextAttemptAt, attempts } = delivery;
  return {
    deliveryId: id,
    event,
    status,
    createdAt: toDateTime(createdAt),
    nextAttemptAt: toDateTime(nextAttemptAt),
    attempts: attempts.map(toAttemptResponse),
  };
}

export function toDetailedDeliveryResponse(delivery: DetailedDelivery): DetailedDeliveryResponse {
  const { id, endpointId, body, attempts } = delivery;
  return Object.assign(toDeliveryResponse(delivery), {
    webhookId: endpointId,
    body,
    attempts: attempts.map((attempt) =>
      Object.assign(toAttemptResponse(attempt), { request: toRequestResponse(id, attempt) }),
    ),
  });
}

function toRequestResponse(id: string, { at, request }: Attempt): AttemptRequestResponse {
  return { url: request.url, headers: headersOf(id, at, request.signatures) };
}

function toAttemptResponse({ at, latencyMs, statusCode, error, answer }: Attempt): AttemptResponse {
  return { at: toDateTime(new Date(at)), latencyMs, statusCode, error, answer };
}

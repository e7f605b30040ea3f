import { Field, INTEGER } from '../../../common/http/api-field';
import { timeOfId } from '../../../common/uuid';
import { CutText, Int, OneOf, QueryInt, Text } from '../../../common/validation/atoms';
import { headersOf, signedBodyOf } from '../deliveries/delivery-client';
import { TEST_VECTOR } from '../deliveries/receivers';
import type { ClaimedDelivery } from '../delivery';
import { EVENT_NAMES } from '../outbox/outbox-event';
import { DELIVERY_ID, SentHeaders, UUID_TEXT } from './webhook-deliveries.dto';

export const LEASE = '01a1f815-7c00-7c4e-9b1a-5f2d8e6c0b18';
/** Why a receiver did not answer, in words of the delivery log. */
const REPORTED_ERRORS = ['CONNECT_FAILED', 'TLS_FAILED', 'BAD_ANSWER', 'TIMEOUT'] as const;
const optional = true;

export class PullQuery {
  @QueryInt({ min: 1, max: 100, description: 'Maximum number of deliveries', example: 10, default: 10 })
  limit: number = 10;

  @QueryInt({
    min: 0,
    max: 20,
    description: 'Seconds to wait for a delivery if none is due',
    example: 0,
    default: 0,
  })
  wait: number = 0;
}

export class DeliveryResultRequest {
  @Text({ ...UUID_TEXT, description: '`lease` of the pulled delivery, else LEASE_LOST', example: LEASE })
  lease!: string;

  @Int({
    min: 100,
    max: 599,
    description: 'Status of the response; 2xx accepts the delivery. Either this or `error` is required',
    example: 204,
    optional,
  })
  statusCode?: number | null;

  @OneOf(REPORTED_ERRORS, {
    description: 'Why there was no response; VALIDATION_FAILED beside `statusCode`',
    example: 'TIMEOUT',
    optional,
  })
  error?: (typeof REPORTED_ERRORS)[number] | null;

  @Int({ min: 0, max: 3_600_000, description: 'Duration of the attempt in milliseconds', example: 84 })
  durationMs!: number;

  @CutText({ max: 1024, description: 'Body of the response', example: 'ok', optional })
  answer?: string | null;
}

class PulledDeliveryResponse {
  @Field('`delivery_id`, the same at every attempt', DELIVERY_ID, { format: 'uuid' })
  deliveryId!: string;

  @Field('What happened', 'contact.created', { enum: EVENT_NAMES })
  event!: string;

  @Field('Number of this attempt since the event or its redelivery', 1, INTEGER)
  attempt!: number;

  @Field('Identifies this attempt when its result is reported', LEASE, { format: 'uuid' })
  lease!: string;

  @SentHeaders()
  headers!: Record<string, string>;

  @Field('Body of the request, byte for byte', TEST_VECTOR.body)
  body!: string;
}

export class PulledDeliveriesResponse {
  @Field('The deliveries, oldest event first; empty if none was due in time', undefined, {
    type: [PulledDeliveryResponse],
  })
  deliveries!: PulledDeliveryResponse[];
}

export function toPulledDeliveryResponse(delivery: ClaimedDelivery): PulledDeliveryResponse {
  const { id, event, attempt, lease, traceparent } = delivery;
  const at = timeOfId(lease).getTime();
  const { body, signatures } = signedBodyOf(delivery, at);
  const headers = { ...headersOf(id, at, signatures), ...(traceparent !== null && { traceparent }) };
  return { deliveryId: id, event, attempt: attempt + 1, lease, headers, body };
}

import { Injectable } from '@nestjs/common';
import type { OutgoingResult } from '../../../common/outgoing/outgoing';
import { OutgoingClient } from '../../../common/outgoing/outgoing-client';
import { Clock } from '../../../common/time/clock';
import { toDateTime } from '../../../common/time/format';
import { inSpan } from '../../../common/tracing';
import { type Signatures, signaturesOf, timestampOf } from '../endpoints/webhook-secrets';
import type { Attempt, ClaimedDelivery, Outcome } from '../delivery';

const MAX_RESPONSE_BYTES = 64 * 1024;
const LOGGED_BYTES = 1024;

/** Posts deliveries to their receivers (docs/webhooks.md#a-delivery). */
@Injectable()
export class DeliveryClient {
  /** Limit for the whole request, from the DNS look-up to the last byte of the response; shortened by tests. */
  timeoutMs = 15_000;

  constructor(
    private readonly outgoing: OutgoingClient,
    private readonly clock: Clock,
  ) {}

  /** Never rejects: failures are part of the outcome. */
  async post(delivery: ClaimedDelivery): Promise<Outcome> {
    const { id, event } = delivery;
    // Only endpoints with a URL are pushed to.
    const url = delivery.url ?? '';
    const at = this.clock.now();
    const { body, signatures } = signedBodyOf(delivery, at);
    const startedAt = performance.now();
    const span = { name: `webhook ${event}`, kind: 'client', parent: delivery.traceparent } as const;
    const result = await inSpan(span, (traceparent) =>
      this.outgoing.request({
        url,
        method: 'POST',
        headers: { ...headersOf(id, at, signatures), ...(traceparent !== null && { traceparent }) },
        body,
        timeoutMs: this.timeoutMs,
        maxBytes: MAX_RESPONSE_BYTES,
        beyondMaxBytes: 'cut',
      }),
    );
    return this.outcomeOf(result, {
      at,
      latencyMs: Math.round(performance.now() - startedAt),
      request: { url, signatures },
    });
  }

  private outcomeOf(result: OutgoingResult, sent: Pick<Attempt, 'at' | 'latencyMs' | 'request'>): Outcome {
    if (!result.ok) {
      const attempt = { ...sent, statusCode: null, error: result.problem, answer: null };
      return { attempt, result: 'failed', retryAfterMs: null };
    }
    const { status, headers, body } = result;
    const attempt = { ...sent, statusCode: status, error: null, answer: logged(body) };
    const retryAfterMs = parseRetryAfter(headers['retry-after'], this.clock.now());
    return { attempt, result: resultOf(status), retryAfterMs };
  }
}

export function resultOf(status: number): Outcome['result'] {
  if (status >= 200 && status < 300) return 'delivered';
  return status === 410 ? 'gone' : 'failed';
}

export function signedBodyOf(delivery: Omit<ClaimedDelivery, 'lease'>, at: number) {
  const { id, secrets } = delivery;
  const body = bodyOf(delivery);
  return { body, signatures: signaturesOf({ id, at, body }, secrets) };
}

type Enveloped = Pick<ClaimedDelivery, 'id' | 'organizationId' | 'event' | 'createdAt' | 'data'>;

/** The envelope, of stored values only, so that every attempt sends the same bytes. */
export function bodyOf({ event, id, organizationId, createdAt, data }: Enveloped): string {
  const head = {
    event,
    delivery_id: id,
    organization_id: organizationId,
    created_at: toDateTime(createdAt),
  };
  return `${JSON.stringify(head).slice(0, -1)},"data":${data}}`;
}

/** The headers of an attempt: `X-Signature-256`, and those of Standard Webhooks (docs/webhooks.md#signatures). */
export function headersOf(id: string, at: number, { ofBody, standard }: Signatures): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Waypost-Webhooks/1',
    'X-Signature-256': ofBody,
    'webhook-id': id,
    'webhook-timestamp': timestampOf(at),
    'webhook-signature': standard,
  };
}

/** The start of a response, as text that Postgres can store. */
export function logged(body: Buffer): string {
  const text = body.subarray(0, LOGGED_BYTES).toString('utf8');
  return text.replaceAll('\u0000', '\ufffd');
}

/** Milliseconds of a Retry-After header, in seconds or as a date; null for other text. */
function parseRetryAfter(header: string | string[] | undefined, now: number): number | null {
  const text = [header].flat()[0]?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /GMT$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

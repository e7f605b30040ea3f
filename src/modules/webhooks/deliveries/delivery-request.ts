import { toDateTime } from '../../../common/time/format';
import { type Signatures, timestampOf } from '../endpoints/webhook-secrets';
import type { ClaimedDelivery } from './delivery';

type Enveloped = Pick<ClaimedDelivery, 'id' | 'organizationId' | 'event' | 'createdAt' | 'data'>;

/** The envelope: made of stored values only, so that every attempt sends the same bytes. */
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

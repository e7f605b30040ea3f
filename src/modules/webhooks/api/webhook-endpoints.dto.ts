import { DATE_TIME_OR_NULL, INT64, TEXT_OR_NULL, INTEGER, Field } from '../../../common/http/api-field';
import { pageOf } from '../../../common/pagination/page';
import { toDateTime } from '../../../common/time/format';
import { Bool, DateTimeText, OneOf, PathId, Text } from '../../../common/validation/atoms';
import { IdList, TextList, WordList } from '../../../common/validation/lists';
import type { DeliveryCounts } from '../deliveries/delivery-counts.query';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint';
import {
  DELIVERY_KINDS,
  type DeliveryKind,
  DISABLED_REASONS,
  type DisabledReason,
} from '../endpoints/webhook-endpoint.entity';
import { overlapUntil } from '../endpoints/webhook-secrets';
import { NO_FILTERS } from '../outbox/endpoint-filters';
import { EVENT_NAMES } from '../outbox/outbox-event';

/** Valid subscriptions: `*`, groups such as `link.*`, and event names. */
const SUBSCRIPTIONS: ReadonlySet<string> = new Set([
  '*',
  ...EVENT_NAMES.map((name) => name.replace(/\..*/, '.*')),
  ...EVENT_NAMES,
]);
export const URL_TEXT = {
  max: 2000,
  description: 'URL of the receiver: https, port 443 and a public host. Stored encrypted.',
  example: 'https://hooks.example.com/waypost',
};
export const EVENTS = {
  min: 1,
  max: SUBSCRIPTIONS.size,
  every: '*',
  description: 'Events, groups of them (`link.*`), or all (`*` alone)',
  example: ['unsubscribe.*', 'contact.opt_out'],
  problem: 'must be an event, a group such as link.*, or *',
};

const ABOUT = 'Filter: of events about links, campaigns and apps, only those about';
const FILTER = { max: 100, example: [], optional: true };

/** Filters (docs/webhooks.md#filters). An update without a field keeps it. */
class FilteredRequest {
  @IdList({
    ...FILTER,
    of: 'link',
    description: `${ABOUT} one of these links, or about what another filter names. Empty in all four fields: no filter`,
  })
  links?: number[] | null;

  @IdList({
    ...FILTER,
    of: 'campaign',
    description: `${ABOUT} one of these campaigns, or about what another filter names`,
  })
  campaigns?: number[] | null;

  @TextList({
    ...FILTER,
    length: 50,
    description: `${ABOUT} a link or campaign with one of these tags, ignoring letter case, or about what another filter names`,
  })
  tags?: string[] | null;

  @IdList({
    ...FILTER,
    of: 'app',
    description: `${ABOUT} one of these apps or a link or campaign that opens one, or about what another filter names`,
  })
  apps?: number[] | null;
}

export class WebhookPath {
  @PathId({ description: 'Id of the webhook endpoint' })
  id!: number;
}

export class CreateWebhookRequest extends FilteredRequest {
  @OneOf(DELIVERY_KINDS, {
    description:
      'PUSH: deliveries are posted to `url`. PULL: the endpoint has no URL, and a listener fetches them (`pullWebhook`)',
    example: 'PUSH',
    default: 'PUSH',
  })
  delivery: DeliveryKind = 'PUSH';

  @Text({
    ...URL_TEXT,
    description: `${URL_TEXT.description} Required for PUSH, absent for PULL`,
    optional: true,
  })
  url?: string | null;

  @WordList(SUBSCRIPTIONS, EVENTS)
  events!: string[];

  @Bool({ description: 'Whether events are delivered to the endpoint', example: true, default: true })
  enabled: boolean = true;
}

export class UpdateWebhookRequest extends FilteredRequest {
  @Text({
    ...URL_TEXT,
    min: 1,
    description: `${URL_TEXT.description} VALIDATION_FAILED for an endpoint that is pulled`,
    optional: true,
  })
  url?: string | null;

  @WordList(SUBSCRIPTIONS, { ...EVENTS, optional: true })
  events?: string[] | null;

  @Bool({
    description:
      'Whether events are delivered to the endpoint. While it is disabled, due deliveries wait until their event is deleted',
    example: true,
    optional: true,
  })
  enabled?: boolean | null;

  @Bool({
    description: 'Ends a rotation now: only the new secret signs from then on',
    example: true,
    optional: true,
  })
  promote?: boolean | null;
}

export class ReplayRequest {
  @DateTimeText({
    description:
      'Events since this time are delivered again; a date means its first second, UTC. Events are stored for 30 days',
    example: '2026-11-20T08:00:00Z',
  })
  since!: string;
}

const time = (description: string) => Field(description, '2026-11-20T08:32:00Z', DATE_TIME_OR_NULL);

const WEBHOOK_STATES = ['ACTIVE', 'FAILING', 'DISABLED'] as const;

const FILTERED_IDS = { type: 'array', items: { type: 'integer', format: 'int64' } } as const;

class DeliveryCountsResponse {
  @Field('Accepted by the receiver', 812, INTEGER)
  delivered!: number;

  @Field('Failed at the last attempt', 3, INTEGER)
  failed!: number;

  @Field('Waiting for an attempt', 5, INTEGER)
  pending!: number;
}

export class WebhookResponse {
  @Field('Id of the endpoint', 7, INT64)
  id!: number;

  @Field('Whether deliveries are posted to `url`, or fetched by a listener', 'PUSH', { enum: DELIVERY_KINDS })
  delivery!: DeliveryKind;

  @Field('URL of the receiver; null for PULL', URL_TEXT.example, TEXT_OR_NULL)
  url!: string | null;

  @Field('Subscribed events', EVENTS.example, { type: [String] })
  events!: string[];

  @Field('Links whose events are delivered; empty in all four filters: no filter', [], FILTERED_IDS)
  links!: number[];

  @Field('Campaigns whose events are delivered', [], FILTERED_IDS)
  campaigns!: number[];

  @Field('Tags, in lower case, of links and campaigns whose events are delivered', [], { type: [String] })
  tags!: string[];

  @Field('Apps whose events are delivered', [], FILTERED_IDS)
  apps!: number[];

  @Field('Whether events are delivered to the endpoint', true)
  enabled!: boolean;

  @Field('FAILING: nothing has been delivered since the last failure', 'ACTIVE', { enum: WEBHOOK_STATES })
  state!: (typeof WEBHOOK_STATES)[number];

  @Field(
    'Why the endpoint is disabled: MANUAL by a user or an API key, GONE by its response 410, FAILURES after five days of failures only, NOT_PULLED after 24 hours without a listener',
    'GONE',
    { enum: DISABLED_REASONS, type: String, nullable: true },
  )
  disabledReason!: DisabledReason | null;

  @time('Time at which the endpoint was disabled')
  disabledAt!: string | null;

  @time('First failure since the last successful delivery')
  failingSince!: string | null;

  @Field(
    'The last failure: a status, or why there was no response (`TIMEOUT`, `CONNECT_FAILED` …)',
    '503',
    TEXT_OR_NULL,
  )
  lastError!: string | null;

  @time('Time of the last failure')
  lastErrorAt!: string | null;

  @time('Last successful delivery, to the minute')
  lastDeliveredAt!: string | null;

  @time('For PULL: when a listener last asked for deliveries, to the minute')
  lastPulledAt!: string | null;

  @Field('Deliveries of events of the last 24 hours; of the newest 10,000 if there are more', undefined, {
    type: DeliveryCountsResponse,
  })
  last24Hours!: DeliveryCountsResponse;

  @time('Start of the replay in progress')
  replayingSince!: string | null;

  @time('During a rotation: time at which the last replaced secret stops signing')
  previousSecretUntil!: string | null;

  @time('Creation, UTC')
  createdAt!: string;

  @time('Last change')
  updatedAt!: string;
}

export class WebhookWithSecretResponse extends WebhookResponse {
  @Field(
    'Secret that signs deliveries; only in this response and in that of a rotation',
    'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  )
  secret!: string;
}

export class WebhookPage extends pageOf(WebhookResponse, 'WebhookPage') {}

export function toWebhookResponse(
  endpoint: WebhookEndpoint,
  { DELIVERED: delivered, FAILED: failed, PENDING: pending }: DeliveryCounts,
  now: number,
): WebhookResponse {
  const { id, delivery, url, events, enabled, failingSince } = endpoint;
  const { links, campaigns, tags, apps } = endpoint.filters ?? NO_FILTERS;
  return {
    id,
    delivery,
    url,
    events: [...events],
    links: [...links],
    campaigns: [...campaigns],
    tags: [...tags],
    apps: [...apps],
    enabled,
    state: !enabled ? 'DISABLED' : failingSince ? 'FAILING' : 'ACTIVE',
    disabledReason: endpoint.disabledReason,
    disabledAt: toDateTime(endpoint.disabledAt),
    failingSince: toDateTime(failingSince),
    lastError: endpoint.lastError,
    lastErrorAt: toDateTime(endpoint.lastErrorAt),
    lastDeliveredAt: toDateTime(endpoint.lastDeliveredAt),
    lastPulledAt: toDateTime(endpoint.lastPulledAt),
    last24Hours: { delivered, failed, pending },
    replayingSince: toDateTime(endpoint.replaySince),
    previousSecretUntil: toDateTime(overlapUntil(endpoint.secrets, now)),
    createdAt: toDateTime(endpoint.createdAt),
    updatedAt: toDateTime(endpoint.updatedAt),
  };
}

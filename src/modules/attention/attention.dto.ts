import { DATE_TIME_OR_NULL, INT64, INTEGER, TEXT_OR_NULL, Field } from '../../common/http/api-field';
import { toDateTime } from '../../common/time/format';

/** In the order in which they are listed. */
export const ATTENTION_KINDS = [
  'CUSTOM_DOMAINS',
  'UNHEALTHY_LINKS',
  'UNHEALTHY_CAMPAIGNS',
  'WEBHOOKS',
  'WEBHOOK_BACKLOG',
  'EXPIRING_API_KEYS',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

export interface Concern {
  id: number;
  name: string;
  reason?: string | null;
  since?: Date | null;
  expiresAt?: Date | null;
}

export interface Found {
  /** Up to MAX_COUNTED. */
  count: number;
  /** Examples, the latest first, at most MAX_EXAMPLES. */
  concerns: Concern[];
}

const time = (description: string, example: string | null) => Field(description, example, DATE_TIME_OR_NULL);

export class AttentionExample {
  @Field('Id of the link, campaign, domain, endpoint or key', 42, INT64)
  id!: number;

  @Field(
    'Title or code of the link, name of the campaign or key, domain name, or host name of the webhook endpoint (`#` and its id without a URL)',
    'Spring sale',
  )
  name!: string;

  @Field(
    'Links and campaigns: `healthProblem`. Domains: FAILED, REVOKED, DISABLED, or CNAME_MISSING before it is revoked. ' +
      'Webhook endpoints: FAILING, or the `disabledReason`',
    'NOT_FOUND',
    TEXT_OR_NULL,
  )
  reason!: string | null;

  @time('Since when; null if that is not known. WEBHOOK_BACKLOG: the oldest delivery', '2026-11-18T08:32:00Z')
  since!: string | null;

  @time('EXPIRING_API_KEYS: when it expires', null)
  expiresAt!: string | null;
}

export class AttentionItem {
  @Field(
    'WEBHOOKS are failing or disabled ones; WEBHOOK_BACKLOG are deliveries overdue by a minute',
    'UNHEALTHY_LINKS',
    { enum: ATTENTION_KINDS },
  )
  kind!: AttentionKind;

  @Field('How many, counted up to 10,000', 1, INTEGER)
  count!: number;

  @Field(
    'Up to five of them: keys by expiry, others the latest first. Those of WEBHOOK_BACKLOG are endpoints',
    undefined,
    { type: [AttentionExample] },
  )
  examples!: AttentionExample[];
}

export class AttentionResponse {
  @Field('By kind; empty if nothing needs attention', undefined, { type: [AttentionItem] })
  items!: AttentionItem[];
}

export function toAttentionItem(kind: AttentionKind, { count, concerns }: Found): AttentionItem {
  return { kind, count, examples: concerns.map(toExample) };
}

function toExample({ id, name, reason = null, since = null, expiresAt = null }: Concern): AttentionExample {
  return { id, name, reason, since: toDateTime(since), expiresAt: toDateTime(expiresAt) };
}

import { ApiProperty } from '@nestjs/swagger';
import { toDateTime } from '../../common/time/format';
import type { AttentionKind, Concern, Found } from './concern';
import { ATTENTION_KINDS } from './concern';

const time = (description: string, example: string | null) =>
  ApiProperty({ type: String, format: 'date-time', nullable: true, description, example });

export class AttentionExample {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description: 'Id of the link, campaign, domain, endpoint or key',
    example: 42,
  })
  id!: number;

  @ApiProperty({
    description:
      'Title or code of the link, name of the campaign or key, domain name, or host name of the webhook endpoint',
    example: 'Spring sale',
  })
  name!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Links and campaigns: `healthProblem`. Domains: FAILED, REVOKED, DISABLED, or CNAME_MISSING before it is revoked. ' +
      'Webhook endpoints: FAILING, or the `disabledReason`',
    example: 'NOT_FOUND',
  })
  reason!: string | null;

  @time('Since when; null if that is not known. WEBHOOK_BACKLOG: the oldest delivery', '2026-11-18T08:32:00Z')
  since!: string | null;

  @time('EXPIRING_API_KEYS: when it expires', null)
  expiresAt!: string | null;
}

export class AttentionItem {
  @ApiProperty({
    enum: ATTENTION_KINDS,
    description: 'WEBHOOKS are failing or disabled ones; WEBHOOK_BACKLOG are deliveries overdue by a minute',
    example: 'UNHEALTHY_LINKS',
  })
  kind!: AttentionKind;

  @ApiProperty({ type: 'integer', description: 'How many, counted up to 10,000', example: 1 })
  count!: number;

  @ApiProperty({
    type: [AttentionExample],
    description:
      'Up to five of them: keys by expiry, others the latest first. Those of WEBHOOK_BACKLOG are endpoints',
  })
  examples!: AttentionExample[];
}

export class AttentionResponse {
  @ApiProperty({ type: [AttentionItem], description: 'By kind; empty if nothing needs attention' })
  items!: AttentionItem[];
}

export function toAttentionItem(kind: AttentionKind, { count, concerns }: Found): AttentionItem {
  return { kind, count, examples: concerns.map(toExample) };
}

function toExample({ id, name, reason = null, since = null, expiresAt = null }: Concern): AttentionExample {
  return { id, name, reason, since: toDateTime(since), expiresAt: toDateTime(expiresAt) };
}

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

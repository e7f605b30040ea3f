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

/** Result of a query for one kind. */
export interface Found {
  /** Up to MAX_COUNTED. */
  count: number;
  /** Examples, the latest first, at most MAX_EXAMPLES. */
  concerns: Concern[];
}

export const MAX_EXAMPLES = 5;

/** Limits the duration of a count. */
export const MAX_COUNTED = 10_000;

/** The rows of `examplesOf`. */
export function toFound(rows: readonly (Concern & { count: number })[]): Found {
  return {
    count: rows[0]?.count ?? 0,
    concerns: rows.map(({ count: _, ...concern }) => concern),
  };
}

/** SQL that selects examples from rows with `id` and `since`, each with the total count. */
export const examplesOf = (rows: string) => `
  WITH found AS MATERIALIZED (${rows} LIMIT ${MAX_COUNTED})
  SELECT *, (SELECT count(*) FROM found) AS count
    FROM found ORDER BY since DESC NULLS LAST, id DESC LIMIT ${MAX_EXAMPLES}`;

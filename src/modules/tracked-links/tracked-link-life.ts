/** Rarely used fields of links and campaigns; defaults are omitted, to keep most records small. */
export interface Life {
  /** The organization's own switch. Default: true. */
  enabled?: boolean;
  /** Milliseconds since the epoch. Default: no start. */
  startsAt?: number;
  notStartedUrl?: string;
  expiredUrl?: string;
  /** Whether the destination gets the query of the request. Default: true. */
  forwardQuery?: boolean;
}

/** SQL select item `life`, the `Life` of a link's or campaign's row. */
export const LIFE_COLUMN = `
  json_strip_nulls(json_build_object(
    'enabled', nullif(enabled, true), 'startsAt', (extract(epoch FROM starts_at) * 1000)::float8,
    'notStartedUrl', not_started_url, 'expiredUrl', expired_url, 'forwardQuery', nullif(forward_query, true)
  )) AS life`;

/**
 * Whether it is switched off or has not started, and so behaves like an unknown one.
 * @param now milliseconds since the epoch
 */
export function isHidden({ enabled, startsAt }: Pick<Life, 'enabled' | 'startsAt'>, now: number): boolean {
  return enabled === false || (startsAt !== undefined && startsAt > now);
}

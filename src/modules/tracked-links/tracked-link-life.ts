/** What few links and campaigns have; absent where it is the default, to keep the other records small. */
export interface Life {
  /** The organization's own switch. Default: true. */
  enabled?: boolean;
  /** Milliseconds since the epoch. Default: from the beginning. */
  startsAt?: number;
  notStartedUrl?: string;
  expiredUrl?: string;
  /** Whether the destination gets the query of the request. Default: true. */
  forwardQuery?: boolean;
}

/** Select item `life` of a row of links or campaigns: its `Life`. */
export const LIFE_COLUMN = `
  json_strip_nulls(json_build_object(
    'enabled', nullif(enabled, true), 'startsAt', (extract(epoch FROM starts_at) * 1000)::float8,
    'notStartedUrl', not_started_url, 'expiredUrl', expired_url, 'forwardQuery', nullif(forward_query, true)
  )) AS life`;

/**
 * Whether it is switched off or has not started, so that nobody finds it.
 * @param now milliseconds since the epoch
 */
export function isHidden({ enabled, startsAt }: Pick<Life, 'enabled' | 'startsAt'>, now: number): boolean {
  return enabled === false || (startsAt !== undefined && startsAt > now);
}

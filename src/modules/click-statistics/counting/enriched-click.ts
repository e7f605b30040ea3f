import type { Click } from '../../clicks/click';

/** When a click was for its organization, and who clicked, as different visitors are told apart. */
export interface LocalVisit {
  /** Day of the organization's time zone, `YYYY-MM-DD`. */
  day: string;
  /** The Monday of its ISO week. */
  week: string;
  /** Days since then, 0 to 6. */
  dayOfWeek: number;
  /** A 64-bit number in decimals, that week's for this person in this organization. */
  visitor: string;
}

/** A click with everything that is stored of it. */
export interface EnrichedClick {
  click: Click;
  /** UTC day, `YYYY-MM-DD`, and hour, 0 to 23. */
  day: string;
  hour: number;
  visitor: string;
  visit: LocalVisit;
  isBot: boolean;
  /** ISO 3166-1 alpha-2; null when unknown. */
  countryCode: string | null;
  /** One value of each dimension but the hour (dimensions.ts); no tracker without one. */
  dimensions: readonly string[];
  /** Values of utm dimensions that the click has. */
  utm: readonly string[];
  /** Number of the customId in its campaign; null without one. */
  userNo: number | null;
}

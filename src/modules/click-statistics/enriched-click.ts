import type { Click } from '../clicks/click';

/** Day and visitor of a click in the organization's time zone, for counting unique visitors. */
export interface LocalVisit {
  /** Day in the organization's time zone, `YYYY-MM-DD`. */
  day: string;
  /** Monday of its ISO week. */
  week: string;
  /** Days since that Monday, 0 to 6. */
  dayOfWeek: number;
  /** Identifies the visitor in this organization and week: a 64-bit integer in decimal. */
  visitor: string;
  /** Identifies the visitor on that day: a 64-bit integer in decimal. */
  dayVisitor: string;
}

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
  /** Country, browser, OS, device and referrer, in this order; then the bot, tracker, region and city, if there are any. */
  dimensions: readonly string[];
  /** Values of the utm dimensions that are set. */
  utm: readonly string[];
  /** URL of the variant that the visitor was sent to; null for links without variants. */
  variant: string | null;
  /** Number of the customId in its campaign; null without a customId. */
  customerNo: number | null;
}

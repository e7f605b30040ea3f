import { INT64_OR_NULL, Field } from '../../common/http/api-field';
import { SESSION_PLATFORMS, type SessionPlatform } from '../sessions/funnel';
import type { TrackedLinkKind } from '../clicks/click';
import { type AtomOptions } from '../../common/validation/atom';
import { DateText, OneOfAnyCase, PathId } from '../../common/validation/atoms';

const ALL = 'all';
const PLATFORM_WORDS = SESSION_PLATFORMS.map((platform) => platform.toLowerCase());

/** First and last day of an analytics query (docs/concepts/statistics.md#ranges). */
export class AnalyticsRangeQuery {
  @DateText({
    optional: true,
    description: "First day, in the organization's time zone; INVALID_DATE_RANGE when after endDate",
    example: '2026-11-01',
  })
  startDate?: string | null;

  @DateText({ optional: true, description: 'Last day, inclusive', example: '2026-11-20' })
  endDate?: string | null;
}

/** Paths of reports, below the base of an API, that API keys may only request for one app (`appId`). */
export const REPORTS_OF_APPS = ['analytics/revenue', 'analytics/conversions', 'analytics/conversions/goals'];

/** The range of an analytics query about one app or, in the console, about all apps. */
export class AppAnalyticsQuery extends AnalyticsRangeQuery {
  @PathId({
    description:
      'Id of an app of the organization, else APP_NOT_OWNED. Required with an API key; in the console, all apps together without it',
    example: 1,
    optional: true,
  })
  appId?: number | null;
}

export const reportedApp = Field('Id of the app; null for all apps, in the console', 42, INT64_OR_NULL);

export const baseCurrency = Field(
  "The organization's base currency, ISO 4217, in which all amounts without their own currency are",
  'KRW',
);

/** `ios`, `android`, `web` or `all`, case-insensitive. */
export function AnalyticsPlatform(options: Pick<AtomOptions, 'description'>): PropertyDecorator {
  return OneOfAnyCase([...PLATFORM_WORDS, ALL], { default: ALL, example: 'ios', ...options });
}

export function platformOfWord(word: string): SessionPlatform | null {
  return SESSION_PLATFORMS.find((platform) => platform.toLowerCase() === word) ?? null;
}

export function wordOfPlatform(platform: SessionPlatform): string {
  return platform.toLowerCase();
}

export const RESOURCE_KINDS: Readonly<Record<string, TrackedLinkKind>> = {
  url: 'link',
  campaign: 'campaign',
};
export const RESOURCE_TYPES = Object.keys(RESOURCE_KINDS);

import { ApiProperty } from '@nestjs/swagger';
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

  @DateText({ optional: true, description: 'Last day, itself included', example: '2026-11-20' })
  endDate?: string | null;
}

/** The same of one app. */
export class AppAnalyticsQuery extends AnalyticsRangeQuery {
  @PathId({ description: 'Id of an app of the organization, else APP_NOT_OWNED', example: 1 })
  appId!: number;
}

/** What the amounts of an answer are in. */
export const baseCurrency = ApiProperty({
  description: "The organization's base currency, ISO 4217: that of every amount that names no other",
  example: 'KRW',
});

/** `ios`, `android`, `web`, or `all`, in any case. */
export function AnalyticsPlatform(options: Pick<AtomOptions, 'description'>): PropertyDecorator {
  return OneOfAnyCase([...PLATFORM_WORDS, ALL], { default: ALL, example: 'ios', ...options });
}

/** Null: all of them. */
export function platformOfWord(word: string): SessionPlatform | null {
  return SESSION_PLATFORMS.find((platform) => platform.toLowerCase() === word) ?? null;
}

/** As analytics name a platform. */
export function wordOfPlatform(platform: SessionPlatform): string {
  return platform.toLowerCase();
}

/** As analytics name links and campaigns. */
export const RESOURCE_KINDS: Readonly<Record<string, TrackedLinkKind>> = {
  url: 'link',
  campaign: 'campaign',
};
export const RESOURCE_TYPES = Object.keys(RESOURCE_KINDS);

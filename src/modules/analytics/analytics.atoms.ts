import { SESSION_PLATFORMS, type SessionPlatform } from '../../common/funnel';
import type { TargetKind } from '../../common/click-target';
import { type AtomOptions } from '../../common/validation/atom';
import { DateText, OneOf, PathId } from '../../common/validation/atoms';

const ALL = 'all';
const PLATFORM_WORDS = SESSION_PLATFORMS.map((platform) => platform.toLowerCase());

/** First and last day of an analytics query (doc 2 §4). */
export class AnalyticsRangeQuery {
  @DateText({
    optional: true,
    description: "First day, in the organization's time zone",
    example: '2026-11-01',
  })
  startDate?: string | null;

  @DateText({ optional: true, description: 'Last day, itself included', example: '2026-11-20' })
  endDate?: string | null;
}

/** The same of one app. */
export class AppAnalyticsQuery extends AnalyticsRangeQuery {
  @PathId({ description: 'Id of an app of the organization', example: 42 })
  appId!: number;
}

/** `ios`, `android`, `web`, or `all`. */
export function AnalyticsPlatform(options: Pick<AtomOptions, 'description'>): PropertyDecorator {
  return OneOf([...PLATFORM_WORDS, ALL], { default: ALL, example: 'ios', ...options });
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
export const RESOURCE_KINDS: Readonly<Record<string, TargetKind>> = { url: 'link', campaign: 'campaign' };
export const RESOURCE_TYPES = Object.keys(RESOURCE_KINDS);

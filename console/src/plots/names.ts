import { countryName } from '../texts/format';
import { language, textOf, type Translate } from '../texts/texts';
import { plotTexts } from './texts';
import type { Dimension, Interval } from './types';

type PlotText = NonNullable<(typeof plotTexts)['key']>;

const locale = () => (language() === 'ko' ? 'ko-KR' : 'en-US');

/** Display name of a period. @param start a day, or the time of an hour */
export function periodName(start: string, interval: Interval, timeZone: string, short = false): string {
  const format: Intl.DateTimeFormatOptions = {
    month: 'short',
    timeZone: interval === 'hour' ? timeZone : 'UTC',
  };
  if (interval === 'month' || !short) format.year = 'numeric';
  if (interval !== 'month') format.day = 'numeric';
  if (!short && (interval === 'hour' || interval === 'day')) format.weekday = 'short';
  if (interval === 'hour') Object.assign(format, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return new Date(interval === 'hour' ? start : `${start}T00:00:00Z`).toLocaleString(locale(), format);
}

/** `Oct 22 – Nov 20, 2026`. */
export function daysName({ from, to }: { from: string; to: string }): string {
  const format = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' });
  return format.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`));
}

/** Monday to Sunday. */
export function weekdayNames(style: 'short' | 'long'): string[] {
  const format = new Intl.DateTimeFormat(locale(), { weekday: style, timeZone: 'UTC' });
  // 1 January 2024 was a Monday.
  return Array.from({ length: 7 }, (_, day) => format.format(Date.UTC(2024, 0, day + 1)));
}

const MISSING: Partial<Record<string, PlotText>> = {
  '(other)': 'other',
  '(none)': 'none',
  Unknown: 'unknown',
  Direct: 'direct',
};

/** A group's name in the console's language. @param name the API's name */
export function valueName(dimension: Dimension, key: string, name: string, t: Translate<PlotText>): string {
  const missing = MISSING[key];
  if (missing) return t(missing);
  if (dimension === 'country') return countryName(key);
  return dimension === 'device' ? deviceName(key) : name;
}

const DEVICES = ['Mobile', 'Desktop', 'Tablet'] as const;

/** A device type in the console's language. */
export function deviceName(type: string): string {
  const device = DEVICES.find((each) => each === type);
  return device ? textOf(plotTexts, device) : type;
}

import { language } from './texts';

const locale = () => (language() === 'ko' ? 'ko-KR' : 'en-US');

export function formatNumber(value: number): string {
  return value.toLocaleString(locale());
}

/** `12.3K`, for narrow places. */
export function formatShort(value: number): string {
  return value.toLocaleString(locale(), { notation: 'compact', maximumFractionDigits: 1 });
}

/** A small share is not rounded to 0 %. @param share 0 to 1 */
export function formatPercent(share: number, digits = 1): string {
  const small = Math.abs(share) < 10 ** (-2 - digits);
  return share.toLocaleString(locale(), {
    style: 'percent',
    ...(small ? { maximumSignificantDigits: 1 } : { maximumFractionDigits: digits }),
  });
}

export function formatMoney(value: number, currency: string): string {
  return value.toLocaleString(locale(), {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  });
}

/** A date and time of the API. @param timeZone the browser's if absent */
export function formatDateTime(value: string | null | undefined, timeZone?: string): string {
  if (!value) return '–';
  return new Date(value).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short', timeZone });
}

export function formatDate(value: string | null | undefined): string {
  if (!value) return '–';
  return new Date(value).toLocaleDateString(locale(), { dateStyle: 'medium' });
}

/** `3 min. ago`; tolerates a small difference between the clocks of service and browser. */
export function formatAgo(value: string | null | undefined): string {
  return value ? relative(Math.min(0, secondsUntil(value))) : '–';
}

/** `in 3 min.`, or `now` for a time that has passed. */
export function formatIn(value: string): string {
  return relative(Math.max(0, secondsUntil(value)));
}

function secondsUntil(value: string): number {
  return Math.trunc((new Date(value).getTime() - Date.now()) / 1000);
}

function relative(seconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const);
  // `last mo.` and `last yr.` would be unusual.
  const numeric = unit === 'month' || unit === 'year' ? 'always' : 'auto';
  return new Intl.RelativeTimeFormat(locale(), { numeric, style: 'short' }).format(
    // Avoids minus zero, which would be `0 sec. ago`.
    Math.trunc(seconds / size) || 0,
    unit,
  );
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** The name of a country by its two-letter code. */
export function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames([locale()], { type: 'region', fallback: 'code' }).of(code) ?? code;
}

/** `9:41:07 AM`, in the time zone of the browser. */
export function formatTime(value: string): string {
  return new Date(value).toLocaleTimeString(locale(), { timeStyle: 'medium' });
}

/** `4 min`, in the largest suitable unit. */
export function formatDuration(seconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? (['second', 1] as const);
  return Math.floor(seconds / size).toLocaleString(locale(), { style: 'unit', unit, unitDisplay: 'short' });
}

/** The name of a language by its tag. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames([locale()], { type: 'language', fallback: 'code' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** @param day 0 for Monday */
export function weekdayName(day: number): string {
  // 1 January 2024 was a Monday.
  return new Date(Date.UTC(2024, 0, day + 1)).toLocaleDateString(locale(), {
    weekday: 'long',
    timeZone: 'UTC',
  });
}

/** `A, B, or C`. */
export function formatAny(items: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: 'disjunction' }).format(items);
}

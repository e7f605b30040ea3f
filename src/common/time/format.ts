/** Formats a date-time of the API: `2026-11-20T08:32:00Z` (seconds, UTC). */
export function toDateTime(date: Date): string;
export function toDateTime(date: Date | null): string | null;
export function toDateTime(date: Date | null): string | null {
  return date && `${date.toISOString().slice(0, 19)}Z`;
}

/** The value of a `datetime-local` field for a time of the API, in the browser's time zone. */
export function localMinute(time: string | number): string {
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Whether the text is a calendar day, such as 2026-11-28. */
export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(`${text}T`);
}

/** The first millisecond of a day in the browser's time zone; undefined if it is not a day. */
export function startOfDay(day: string): string | undefined {
  return instantOf(`${day}T00:00:00`);
}

/** The last millisecond of a day in the browser's time zone; undefined if it is not a day. */
export function endOfDay(day: string): string | undefined {
  return instantOf(`${day}T23:59:59.999`);
}

function instantOf(local: string): string | undefined {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** Converts the value of a `datetime-local` field to a time for the API, which rejects an invalid one. */
export function toInstant(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? local : at.toISOString();
}

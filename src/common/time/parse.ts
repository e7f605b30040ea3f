import { DateTime } from 'luxon';

/** The format of `Date.toISOString`. Values are validated by formatting the date again. */
const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

/** A date and time without an offset, or with an offset of less than a day. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d[^+-]*(?:[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/;

const FORMS = ['yyyy-MM-dd HH:mm:ss', 'yyyy-MM-dd HH:mm'];

/**
 * Parses the date-times that the API accepts (docs/concepts/conventions.md#dates-and-times): ISO-8601,
 * `yyyy-MM-dd HH:mm[:ss]`, or `yyyy-MM-dd`, which means the last second of that day. The default time zone is
 * UTC.
 * @returns null for anything else, or a date that does not exist in the years 1970 to 9999
 */
export function parseDateTime(text: string): Date | null {
  if (text.length > 40) return null;
  if (ISO_UTC.test(text)) {
    const date = new Date(text);
    // JavaScript turns 30 February into a day in March, which the parser below rejects.
    if (date.getTime() >= 0 && date.toISOString().startsWith(text.slice(0, 19))) return date;
  }
  const zone = { zone: 'utc' };
  const parsed = /^\d{4}-\d\d-\d\d$/.test(text)
    ? DateTime.fromISO(text, zone).endOf('day').startOf('second')
    : text.includes(' ')
      ? FORMS.map((form) => DateTime.fromFormat(text, form, zone)).find((d) => d.isValid)
      : TIME.test(text)
        ? DateTime.fromISO(text, zone)
        : undefined;
  if (!parsed?.isValid || parsed.year < 1970 || parsed.year > 9999) return null;
  return parsed.toJSDate();
}

/** Like `parseDateTime`, except that a date means its first second. */
export function parseStart(text: string): Date | null {
  return parseDateTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
}

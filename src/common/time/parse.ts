import { DateTime } from 'luxon';

/** As every client in JavaScript writes it; the fields are checked by reading them back. */
const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

const FORMS = ['yyyy-MM-dd HH:mm:ss', 'yyyy-MM-dd HH:mm'];

/**
 * Reads the date-times that the API takes (docs/concepts/conventions.md#dates-and-times): ISO-8601, `yyyy-MM-dd
 * HH:mm[:ss]`, or `yyyy-MM-dd`, which is the last second of that day. Without an offset it is UTC.
 * @returns null when it is none of those, or no date that exists in years 1970 to 9999
 */
export function parseDateTime(text: string): Date | null {
  if (text.length > 40) return null;
  if (ISO_UTC.test(text)) {
    const date = new Date(text);
    // A 30th of February is a day in March here: what follows knows better.
    if (date.getTime() >= 0 && date.toISOString().startsWith(text.slice(0, 19))) return date;
  }
  const zone = { zone: 'utc' };
  const parsed = /^\d{4}-\d\d-\d\d$/.test(text)
    ? DateTime.fromISO(text, zone).endOf('day').startOf('second')
    : text.includes(' ')
      ? FORMS.map((form) => DateTime.fromFormat(text, form, zone)).find((d) => d.isValid)
      : /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)
        ? DateTime.fromISO(text, zone)
        : undefined;
  if (!parsed?.isValid || parsed.year < 1970 || parsed.year > 9999) return null;
  return parsed.toJSDate();
}

import { type SharedForm, type SharedValues, UTM_FIELDS, type UtmField } from './shared-values';

export const MAX_UTM = 200;

/** `utmSource` becomes `utm_source`. */
export function parameterOf(field: UtmField): string {
  return field.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`);
}

/** utm values in a destination, truncated to the size of their fields. */
export function utmOf(address: string): Record<UtmField, string> {
  const query = URL.parse(address.trim())?.searchParams;
  const entries = UTM_FIELDS.map((field) => {
    const value = query?.get(parameterOf(field)) ?? '';
    return [field, value === value.trim() && value.length <= MAX_UTM ? value : ''];
  });
  return Object.fromEntries(entries) as Record<UtmField, string>;
}

/** Updates utm fields that equal the former destination's values with those of the new one. */
export function followDestination(form: SharedForm, before: string, after: string): void {
  const [was, is] = [utmOf(before), utmOf(after)];
  const values = form.getValues();
  for (const field of UTM_FIELDS) {
    if (values[field] === was[field] && is[field] !== was[field]) form.setFieldValue(field, is[field]);
  }
}

/**
 * Null for utm fields that equal the destination's value: they are not stored, so they keep following the destination.
 */
export function ownUtm(values: SharedValues, address: string): Partial<Record<UtmField, null>> {
  const found = utmOf(address);
  const followers = UTM_FIELDS.filter((field) => values[field].trim() === found[field]);
  return Object.fromEntries(followers.map((field) => [field, null]));
}

import type { ReactNode } from 'react';
import { common } from '../texts/common';
import { formatNumber } from '../texts/format';
import { textOf } from '../texts/texts';

/** "1,204 of 1,000 characters" for text that is too long, else null. */
export function tooLong(text: string, max: number): string | null {
  // Counted as by the API: trimmed, in code points.
  const length = Array.from(text.trim()).length;
  if (length <= max) return null;
  return textOf(common, 'tooLong', { length: formatNumber(length), max: formatNumber(max) });
}

/** Attribute of fields that prevent the form from being submitted. */
export const TOO_LONG = 'data-too-long';

interface FieldProps {
  value?: unknown;
  error?: ReactNode;
}

/** Props of a field that rejects text longer than `max` characters, where `maxLength` would silently truncate it. */
export function limited<Props extends FieldProps>(max: number, props: Props): Props {
  const error = typeof props.value === 'string' ? tooLong(props.value, max) : null;
  return error === null ? props : { ...props, error, [TOO_LONG]: true };
}

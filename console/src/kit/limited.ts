import type { ReactNode } from 'react';
import { common } from '../texts/common';
import { formatNumber } from '../texts/format';
import { textOf } from '../texts/texts';

/** "1,204 of 1,000 characters" of a text that is too long, else null. */
export function tooLong(text: string, max: number): string | null {
  // As the API counts: without spaces around it, and no character in halves.
  const length = Array.from(text.trim()).length;
  if (length <= max) return null;
  return textOf(common, 'tooLong', { length: formatNumber(length), max: formatNumber(max) });
}

/** Marks fields that keep their form from being sent. */
export const TOO_LONG = 'data-too-long';

interface FieldProps {
  value?: unknown;
  error?: ReactNode;
}

/** Props of a field that refuses what is longer than `max` characters; `maxLength` would cut it in silence. */
export function limited<Props extends FieldProps>(max: number, props: Props): Props {
  const error = typeof props.value === 'string' ? tooLong(props.value, max) : null;
  return error === null ? props : { ...props, error, [TOO_LONG]: true };
}

import { type AtomOptions, atom } from './atom';

const MAX = 99_999_999_999.9999;
const DECIMAL = /^\d{1,11}(\.\d{1,20})?$/;

/** A non-negative number, or a string of one; rounded to four decimals. */
export function Amount(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) => {
    const isNumber = typeof value === 'number' || (typeof value === 'string' && DECIMAL.test(value));
    const number = isNumber ? Number(value) : NaN;
    return number >= 0 && number <= MAX ? null : `must be a number from 0 to ${MAX}, or a string that is one`;
  };
  const text = { type: 'string', pattern: DECIMAL.source };
  return atom('amount', check, { oneOf: [{ type: 'number', minimum: 0, maximum: MAX }, text] }, options);
}

export function amountOf(value: number | string): number {
  return Number(Number(value).toFixed(4));
}

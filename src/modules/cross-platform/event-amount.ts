/** Limits the digits, so that the sum of many amounts fits its column. */
const AMOUNT = /^-?\d{1,15}(\.\d{1,30})?$/;

/**
 * The amount that an event adds to its metric: `amount`, as a number or a numeric string. With a `currency`, it counts
 * only in the organization's base currency (docs/concepts/sessions.md#activity).
 */
export function addedAmount(data: Record<string, unknown>, baseCurrency: string): string | null {
  const { amount, currency } = data;
  const isOther = typeof currency === 'string' && currency !== '' && currency.toUpperCase() !== baseCurrency;
  if (isOther || (typeof amount !== 'number' && typeof amount !== 'string')) return null;
  const text = typeof amount === 'number' ? plain(amount) : amount.trim();
  return AMOUNT.test(text) ? text : null;
}

/** Decimal notation of small numbers, which JavaScript prints with an exponent; large ones stay invalid. */
function plain(amount: number): string {
  return Math.abs(amount) < 1e-6 ? '0' : String(amount);
}

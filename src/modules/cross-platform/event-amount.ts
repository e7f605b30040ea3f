/** As many whole digits as the sum of an activity holds many of. */
const AMOUNT = /^-?\d{1,15}(\.\d{1,30})?$/;

/**
 * What an event adds to the sum of its metric: its `amount`, a number or the text of one. With a `currency` it is
 * money, and counts when that is the organization's own (docs/concepts/sessions.md#activity).
 */
export function addedAmount(data: Record<string, unknown>, baseCurrency: string): string | null {
  const { amount, currency } = data;
  const isOther = typeof currency === 'string' && currency !== '' && currency.toUpperCase() !== baseCurrency;
  if (isOther || (typeof amount !== 'number' && typeof amount !== 'string')) return null;
  const text = typeof amount === 'number' ? plain(amount) : amount.trim();
  return AMOUNT.test(text) ? text : null;
}

/** Very small numbers have an exponent in JavaScript; very large ones too, and stay what is no amount. */
function plain(amount: number): string {
  return Math.abs(amount) < 1e-6 ? '0' : String(amount);
}

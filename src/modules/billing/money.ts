const DECIMALS = 4;
const UNITS = 10n ** BigInt(DECIMALS);

/** Maximum amount of an entry; in ten-thousandths it is still a safe integer in JSON. */
export const MAX_AMOUNT = 100_000_000_000;

/** Whether a number has at most four decimals. */
export function isAmount(value: number): boolean {
  return (
    Number.isFinite(value) && value >= 0 && value <= MAX_AMOUNT && /^\d+(?:\.\d{1,4})?$/.test(String(value))
  );
}

/** Converts an amount to ten-thousandths, whose sums are exact. */
export function unitsOf(amount: number | string): bigint {
  const [whole = '0', decimals = ''] = String(amount).split('.');
  const negative = whole.startsWith('-');
  const units = BigInt(whole) * UNITS;
  const rest = BigInt(decimals.padEnd(DECIMALS, '0'));
  return negative ? units - rest : units + rest;
}

export function toNumeric(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(DECIMALS + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}

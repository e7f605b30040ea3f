import { DomainError } from '../../common/errors/domain-error';
import { toNumeric } from './money';

/** Types of transactions (docs/concepts/statistics.md#credits-and-billing). */
export const CREDIT_TYPES = ['CHARGE', 'FREE_GRANT', 'USE', 'REFUND'] as const;
export type CreditType = (typeof CREDIT_TYPES)[number];

/** Sums of an organization's credits, in ten-thousandths. */
export interface CreditAccount {
  readonly charged: bigint;
  readonly granted: bigint;
  readonly usedPaid: bigint;
  readonly usedFree: bigint;
}

export const paidOf = ({ charged, usedPaid }: CreditAccount): bigint => charged - usedPaid;
export const freeOf = ({ granted, usedFree }: CreditAccount): bigint => granted - usedFree;
export const balanceOf = (account: CreditAccount): bigint => paidOf(account) + freeOf(account);

/**
 * The account after a transaction. A use draws on free credit first; a refund returns paid credit first, and at most
 * what has been used.
 * @throws INSUFFICIENT_CREDITS, REFUND_EXCEEDS_USE
 */
export function moved(account: CreditAccount, type: CreditType, amount: bigint): CreditAccount {
  switch (type) {
    case 'CHARGE':
      return { ...account, charged: account.charged + amount };
    case 'FREE_GRANT':
      return { ...account, granted: account.granted + amount };
    case 'USE':
      return used(account, amount);
    case 'REFUND':
      return refunded(account, amount);
  }
}

function used(account: CreditAccount, amount: bigint): CreditAccount {
  if (amount > balanceOf(account)) {
    const balance = shown(balanceOf(account));
    throw new DomainError('INSUFFICIENT_CREDITS', `The balance is ${balance}`, { balance });
  }
  const free = least(amount, freeOf(account));
  return { ...account, usedFree: account.usedFree + free, usedPaid: account.usedPaid + amount - free };
}

function refunded(account: CreditAccount, amount: bigint): CreditAccount {
  const total = account.usedPaid + account.usedFree;
  if (amount > total) {
    const used = shown(total);
    throw new DomainError('REFUND_EXCEEDS_USE', `Only ${used} credits have been used`, { used });
  }
  const paid = least(amount, account.usedPaid);
  return { ...account, usedPaid: account.usedPaid - paid, usedFree: account.usedFree - (amount - paid) };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** The amount as a number for the API. */
function shown(units: bigint): number {
  return Number(toNumeric(units));
}

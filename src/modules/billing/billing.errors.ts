import { DomainError } from '../../common/errors/domain-error';

/** A use exceeds the balance; nothing is deducted. */
export class InsufficientCredits extends DomainError {
  constructor(balance: number) {
    super(409, 'INSUFFICIENT_CREDITS', `The balance is ${balance}`, { balance });
  }
}

export class RefundExceedsUse extends DomainError {
  constructor(used: number) {
    super(409, 'REFUND_EXCEEDS_USE', `Only ${used} credits have been used`, { used });
  }
}

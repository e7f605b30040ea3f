import { DomainError } from '../../common/errors/domain-error';

/** More is to be used than there is: nothing is taken. */
export class InsufficientCredits extends DomainError {
  constructor(balance: number) {
    super(409, 'INSUFFICIENT_CREDITS', `The balance is ${balance}`, { balance });
  }
}

/** More is to be given back than has been used. */
export class RefundExceedsUse extends DomainError {
  constructor(used: number) {
    super(409, 'REFUND_EXCEEDS_USE', `Only ${used} credits have been used`, { used });
  }
}

import { DomainError } from '../../common/errors/domain-error';

/** The organization has no such app; whether another has, is not told. */
export class AppNotOwned extends DomainError {
  constructor() {
    super(403, 'APP_NOT_OWNED', 'The app does not belong to this organization');
  }
}

/** A month that is malformed, or outside of the last 24 (docs/concepts/statistics.md#credits-and-billing). */
export class InvalidMonth extends DomainError {
  constructor(message: string) {
    super(400, 'INVALID_MONTH', `month: ${message}`, { details: [{ field: 'month', message }] });
  }
}

/**
 * A period that is malformed, outside of the current one and 12 back, or asked for beside a month
 * (docs/concepts/statistics.md#credits-and-billing).
 */
export class InvalidPeriod extends DomainError {
  constructor(message: string) {
    super(400, 'INVALID_PERIOD', `period: ${message}`, { details: [{ field: 'period', message }] });
  }
}

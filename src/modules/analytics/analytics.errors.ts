import { DomainError } from '../../common/errors/domain-error';

/** The organization has no such app. The error does not reveal whether another organization has it. */
export class AppNotOwned extends DomainError {
  constructor(field: string) {
    const message = 'does not belong to this organization';
    super(403, 'APP_NOT_OWNED', `The app ${message}`, { details: [{ field, message }] });
  }
}

/** The month is malformed or not one of the last 24 (docs/concepts/statistics.md#credits-and-billing). */
export class InvalidMonth extends DomainError {
  constructor(message: string) {
    super(400, 'INVALID_MONTH', `month: ${message}`, { details: [{ field: 'month', message }] });
  }
}

/**
 * The period is malformed, not the current one or one of the 12 before it, or combined with a month
 * (docs/concepts/statistics.md#credits-and-billing).
 */
export class InvalidPeriod extends DomainError {
  constructor(message: string) {
    super(400, 'INVALID_PERIOD', `period: ${message}`, { details: [{ field: 'period', message }] });
  }
}

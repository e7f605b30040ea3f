import { DomainError, type ErrorBody } from '../../common/errors/domain-error';

export class IdempotencyInProgress extends DomainError {
  constructor() {
    const message = 'A request with this Idempotency-Key is still running';
    super('IDEMPOTENCY_IN_PROGRESS', message, {}, { 'Retry-After': '1' });
  }
}

/** An error with a fixed body, so that replays are identical byte for byte, timestamp included. */
export class StoredError extends DomainError {
  constructor(
    private readonly body: ErrorBody,
    headers: Readonly<Record<string, string>>,
  ) {
    super(body.code, body.message, {}, headers);
  }

  override toBody(): ErrorBody {
    return this.body;
  }
}

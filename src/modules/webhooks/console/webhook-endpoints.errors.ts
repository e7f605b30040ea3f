import { DomainError } from '../../../common/errors/domain-error';

export class WebhookDisabled extends DomainError {
  constructor() {
    super(409, 'WEBHOOK_DISABLED', 'The webhook endpoint is disabled; enable it first');
  }
}

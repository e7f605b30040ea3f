import { DomainError } from '../../../common/errors/domain-error';

export class TooManyWebhooks extends DomainError {
  constructor(max: number) {
    super(409, 'TOO_MANY_WEBHOOKS', `An organization has at most ${max} webhook endpoints`);
  }
}

export class WebhookDisabled extends DomainError {
  constructor() {
    super(409, 'WEBHOOK_DISABLED', 'The webhook endpoint is disabled; enable it first');
  }
}

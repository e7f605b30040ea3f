import { Field } from '../../../common/http/api-field';
import { DomainError } from '../../../common/errors/domain-error';
import { NotFound } from '../../../common/errors/errors';

/** Error body for a member without a contact (docs/api.md#errors). */
export class ContactMissingResponse {
  @Field('false', false)
  success!: false;

  @Field('Error message', 'Contact not found')
  message!: string;
}

class ContactMissing extends DomainError {
  override toBody(): ContactMissingResponse {
    return { success: false, message: this.message };
  }
}

/** For `catch` of a promise: maps a missing contact to its own error body, and rethrows other errors. */
export function orContactMissing(error: unknown): never {
  throw error instanceof NotFound ? new ContactMissing(error.code, error.message) : error;
}

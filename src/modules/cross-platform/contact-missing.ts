import { ApiProperty } from '@nestjs/swagger';
import { DomainError } from '../../common/errors/domain-error';
import { NotFound } from '../../common/errors/errors';

/** The body of an error about a member who is no contact (docs/api.md#errors). */
export class ContactMissingResponse {
  @ApiProperty({ description: 'false', example: false })
  success!: false;

  @ApiProperty({ description: 'The error in words', example: 'Contact not found' })
  message!: string;
}

class ContactMissing extends DomainError {
  constructor({ status, code, message }: NotFound) {
    super(status, code, message);
  }

  override toBody(): ContactMissingResponse {
    return { success: false, message: this.message };
  }
}

/** For a promise's `catch`. */
export function orContactMissing(error: unknown): never {
  throw error instanceof NotFound ? new ContactMissing(error) : error;
}

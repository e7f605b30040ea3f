import { DomainError } from '../../common/errors/domain-error';

/** Segments are limited because each is evaluated over all contacts every night. */
export class TooManySegments extends DomainError {
  constructor(max: number) {
    super(409, 'TOO_MANY_SEGMENTS', `An organization has at most ${max} segments`);
  }
}

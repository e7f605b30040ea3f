import { DomainError } from '../../common/errors/domain-error';

/** Each is evaluated over the whole book, every night. */
export class TooManySegments extends DomainError {
  constructor(max: number) {
    super(409, 'TOO_MANY_SEGMENTS', `An organization has at most ${max} segments`);
  }
}

import { DomainError } from '../../../common/errors/domain-error';

/** Clicks that a query reads at most. */
export const MAX_CLICKS = 5_000_000;

/** The figures have to be read from the clicks, of which the range has too many (docs/concepts/statistics.md#crossed-filters). */
export class RangeTooLarge extends DomainError {
  /** @param days longest range that would do, by the average of the days asked for */
  constructor(clicks: number, days: number) {
    super(
      400,
      'RANGE_TOO_LARGE',
      `The range has ${clicks} clicks, and figures of this kind are read from at most ${MAX_CLICKS}: ` +
        `ask for ${days === 1 ? '1 day' : `${days} days`}, or for one dimension only`,
    );
  }
}

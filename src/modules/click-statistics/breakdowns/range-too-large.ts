import { DomainError } from '../../../common/errors/domain-error';

/** Clicks that a query reads at most. */
export const MAX_CLICKS = 5_000_000;

interface TooLarge {
  clicks: number;
  /** Longest range that would do, by the average of the days. */
  days: number;
  /** Whether fewer filters would do, since sums have the figures without them. */
  isCrossed: boolean;
}

/** The figures have to be read from the clicks, of which the range has too many (docs/concepts/statistics.md#crossed-filters). */
export class RangeTooLarge extends DomainError {
  constructor({ clicks, days, isCrossed }: TooLarge) {
    const range = days === 1 ? '1 day' : `${days} days`;
    super(
      400,
      'RANGE_TOO_LARGE',
      `The range has ${clicks} clicks${isCrossed ? '' : ' on days without sums of these figures'}, of which a query reads ` +
        `at most ${MAX_CLICKS}: ask for ${range}${isCrossed ? ', or with fewer filters' : ''}`,
    );
  }
}

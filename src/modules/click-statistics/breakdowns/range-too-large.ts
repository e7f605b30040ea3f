import { DomainError } from '../../../common/errors/domain-error';

export const MAX_CLICKS = 5_000_000;

interface TooLarge {
  clicks: number;
  /** Longest range that is possible, according to the average per day. */
  days: number;
  /** Whether fewer filters would help, because stored sums have the figures without them. */
  isCrossed: boolean;
}

/** The figures need more clicks than a query may read (docs/concepts/statistics.md#crossed-filters). */
export class RangeTooLarge extends DomainError {
  constructor({ clicks, days, isCrossed }: TooLarge) {
    const range = days === 1 ? '1 day' : `${days} days`;
    super(
      'RANGE_TOO_LARGE',
      `The range has ${clicks} clicks${isCrossed ? '' : ' on days without sums of these figures'}, of which a query reads ` +
        `at most ${MAX_CLICKS}: ask for ${range}${isCrossed ? ', or with fewer filters' : ''}`,
    );
  }
}

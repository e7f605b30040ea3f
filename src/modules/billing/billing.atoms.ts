import { type AtomOptions, atom } from '../../common/validation/atom';
import { isAmount, MAX_AMOUNT } from './money';

/** An amount of credits or money with at most four decimals. `positive` excludes 0. */
export function Amount({ positive, ...options }: AtomOptions & { positive: boolean }): PropertyDecorator {
  const check = (value: unknown) => {
    if (typeof value !== 'number' || (positive && value === 0) || !isAmount(value)) {
      const least = positive ? 'more than 0' : '0 or more';
      return `must be a number, ${least}, at most ${MAX_AMOUNT}, with at most 4 decimals`;
    }
    return null;
  };
  const bounds = positive ? { exclusiveMinimum: 0 } : { minimum: 0 };
  return atom('amount', check, { type: Number, maximum: MAX_AMOUNT, ...bounds } as never, options);
}

import type { Translate } from '../../texts/texts';
import type { Operator, PropertyType } from './condition';

/** "is at least" of numbers is "is on or after" of dates. */
export function operatorLabel(t: Translate<string>, operator: Operator, type: PropertyType): string {
  const isOrder = ['GT', 'GTE', 'LT', 'LTE'].includes(operator);
  return t(isOrder && type === 'DATE' ? `${operator}_DATE` : operator);
}

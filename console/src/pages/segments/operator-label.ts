import type { Translate } from '../../texts/texts';
import type { Operator, PropertyType } from './condition';
import type { SegmentText } from './texts';

const OF_DATES = { GT: 'GT_DATE', GTE: 'GTE_DATE', LT: 'LT_DATE', LTE: 'LTE_DATE' } as const;

/** "is at least" of numbers is "is on or after" of dates. */
export function operatorLabel(t: Translate<SegmentText>, operator: Operator, type: PropertyType): string {
  return t(type === 'DATE' && operator in OF_DATES ? OF_DATES[operator as keyof typeof OF_DATES] : operator);
}

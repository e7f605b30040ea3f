import type { Translate } from '../../texts/texts';
import type { Operator, PropertyType } from './condition';
import type { SegmentText } from './texts';

const OF_DATES = { GT: 'GT_DATE', GTE: 'GTE_DATE', LT: 'LT_DATE', LTE: 'LTE_DATE' } as const;

/** Label of an operator by type: "is at least" for numbers is "is on or after" for dates. */
export function operatorLabel(t: Translate<SegmentText>, operator: Operator, type: PropertyType): string {
  return t(type === 'DATE' && operator in OF_DATES ? OF_DATES[operator as keyof typeof OF_DATES] : operator);
}

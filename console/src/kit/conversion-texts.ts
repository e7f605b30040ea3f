import { defineTexts } from '../texts/texts';

export const conversionTexts = defineTexts(
  'conversions',
  {
    conversions: 'Conversions',
    revenue: 'Revenue',
    alsoRevenue: 'and {{amounts}}',
    count_one: '{{formatted}} conversion',
    count_other: '{{formatted}} conversions',
  },
  {
    conversions: '전환',
    revenue: '매출',
    alsoRevenue: '그 외 {{amounts}}',
    count_other: '전환 {{formatted}}건',
  },
);

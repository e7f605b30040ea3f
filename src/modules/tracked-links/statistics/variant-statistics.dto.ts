import { Field, INT64, INTEGER_OR_NULL } from '../../../common/http/api-field';
import { percent } from '../../click-statistics/percentages';
import type { ClickStatistics } from '../../click-statistics/statistics.dto';

/** Clicks sent to one of the variants (docs/concepts/statistics.md#variants). */
export class VariantStatistics {
  @Field('Destination of the variant', 'https://shop.example.com/a')
  url!: string;

  @Field('Weight that the variant has now; null for a former one', 50, INTEGER_OR_NULL)
  weight!: number | null;

  @Field('Whether it is no longer a variant; former ones are listed if they have clicks', false)
  former!: boolean;

  @Field('Clicks of people', 240, INT64)
  clicks!: number;

  @Field('Different visitors of each UTC day, summed over the days', 180, INT64)
  visitors!: number;

  @Field('Percentage of the clicks in the range that were led to any variant, with one decimal', 48.2)
  percentage!: number;
}

/** Variants with the same URL are shown as one item. */
export function variantsOf(
  present: readonly { url: string; weight: number }[],
  clicked: ClickStatistics['variants'],
): VariantStatistics[] {
  const weights = new Map<string, number>();
  for (const { url, weight } of present) weights.set(url, (weights.get(url) ?? 0) + weight);
  const byUrl = new Map(clicked.map((variant) => [variant.url, variant]));
  const total = clicked.reduce((sum, { clicks }) => sum + clicks, 0);
  const item = (url: string, weight: number | null): VariantStatistics => {
    const { clicks = 0, visitors = 0 } = byUrl.get(url) ?? {};
    return { url, weight, former: weight === null, clicks, visitors, percentage: percent(clicks, total) };
  };
  return [
    ...[...weights].map(([url, weight]) => item(url, weight)),
    ...clicked.filter(({ url }) => !weights.has(url)).map(({ url }) => item(url, null)),
  ];
}

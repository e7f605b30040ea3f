import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import type { ChartProps } from './chart';
import { lazySoon } from './lazy-soon';

const Chart = lazySoon(async () => ({ default: (await import('./chart')).Chart }));

/** A chart whose library is not in the script of the first page. */
export function LazyChart(props: ChartProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height} />}>
      <Chart {...props} />
    </Suspense>
  );
}

import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ChartProps } from './chart';

const Chart = lazy(async () => ({ default: (await import('./chart')).Chart }));

/** A chart whose library is loaded on demand. */
export function LazyChart(props: ChartProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height} />}>
      <Chart {...props} />
    </Suspense>
  );
}

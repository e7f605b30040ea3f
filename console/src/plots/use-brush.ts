import type { EChartsCoreOption, EChartsType } from 'echarts/core';
import { useEffect } from 'react';

/** Selects points of a chart by dragging. @param option the chart's option, any change of which ends the mode */
export function useBrush(
  chart: EChartsType | null,
  option: EChartsCoreOption,
  on: boolean,
  select: (first: number, last: number) => void,
): void {
  useEffect(() => {
    if (!chart || !on) return;
    const ended = (event: unknown) => {
      const range = rangeOf(event);
      chart.dispatchAction({ type: 'brush', areas: [] });
      if (range && range[1] > range[0]) select(Math.max(0, range[0]), range[1]);
    };
    chart.on('brushEnd', ended);
    chart.dispatchAction({
      type: 'takeGlobalCursor',
      key: 'brush',
      brushOption: { brushType: 'lineX', brushMode: 'single' },
    });
    return () => {
      if (!chart.isDisposed()) chart.off('brushEnd', ended);
    };
  }, [chart, option, on, select]);
}

function rangeOf(event: unknown): [number, number] | null {
  const areas = (event as { areas?: readonly { coordRange?: unknown }[] }).areas;
  const range = areas?.[0]?.coordRange;
  if (!Array.isArray(range)) return null;
  const [first, last] = range.map(Number);
  return first === undefined || last === undefined ? null : [Math.round(first), Math.round(last)];
}

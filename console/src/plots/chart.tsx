import { useReducedMotion } from '@mantine/hooks';
import type { EChartsCoreOption, EChartsType } from 'echarts/core';
import { useEffect, useRef } from 'react';
import { echarts } from './echarts';

export interface ChartProps {
  option: EChartsCoreOption;
  height: number;
  /** Called with the chart once it exists, and with null when it is removed. */
  onChart: (chart: EChartsType | null) => void;
}

/** An ECharts chart that resizes with its container. Loaded lazily by `lazy-chart.tsx`. */
export function Chart({ option, height, onChart }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType | null>(null);
  const still = useReducedMotion();
  useEffect(() => {
    if (!box.current) return;
    const drawn = echarts.init(box.current, null, { renderer: 'canvas' });
    chart.current = drawn;
    onChart(drawn);
    const sizes = new ResizeObserver(() => drawn.resize());
    sizes.observe(box.current);
    return () => {
      sizes.disconnect();
      onChart(null);
      chart.current = null;
      drawn.dispose();
    };
  }, [onChart]);
  useEffect(() => {
    chart.current?.setOption({ animation: !still, animationDuration: 300, ...option }, { notMerge: true });
  }, [option, still, onChart]);
  return <div ref={box} style={{ height, width: '100%' }} aria-hidden />;
}

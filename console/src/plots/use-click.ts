import type { ECElementEvent, EChartsType } from 'echarts/core';
import { useEffect } from 'react';

/**
 * Selects points of a chart by clicking.
 * @param twice whether the first tap on a point only shows its tooltip, for devices without hovering
 */
export function useClick(
  chart: EChartsType | null,
  count: number,
  twice: boolean,
  select: ((first: number, last: number) => void) | null,
): void {
  useEffect(() => {
    if (!chart || chart.isDisposed() || !select) return;
    let shown = -1;
    const clicked = ({ offsetX, offsetY }: ClickAt) => {
      if (!chart.containPixel('grid', [offsetX, offsetY])) return;
      const index = Math.round(chart.convertFromPixel({ xAxisIndex: 0 }, offsetX));
      if (index < 0 || index >= count) return;
      if (twice && index !== shown) shown = index;
      else select(index, index);
    };
    const canvas = chart.getZr();
    canvas.on('click', clicked);
    return () => {
      if (!chart.isDisposed()) canvas.off('click', clicked);
    };
  }, [chart, count, twice, select]);
}

type ClickAt = Pick<ECElementEvent, 'type'> & { offsetX: number; offsetY: number };

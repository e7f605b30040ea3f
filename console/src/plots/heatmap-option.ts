import type { EChartsCoreOption } from 'echarts/core';
import { fontOf } from './chart-canvas';
import { weekdayNames } from './names';
import { PALETTES, type Scheme } from './palette';
import { type TipLine, tipOf } from './time-series-option';

interface Asked {
  hours: readonly (readonly number[])[];
  scheme: Scheme;
  read: (index: number) => { title: string; lines: readonly TipLine[] };
}

export function heatmapOption({ hours, scheme, read }: Asked): EChartsCoreOption {
  const palette = PALETTES[scheme];
  const label = { color: palette.faint, fontFamily: fontOf(), fontSize: 12 };
  const bare = { axisLine: { show: false }, axisTick: { show: false }, splitLine: { show: false } };
  return {
    grid: { left: 4, right: 4, top: 4, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: {
      ...bare,
      type: 'category',
      data: Array.from({ length: 24 }, (_, hour) => String(hour)),
      axisLabel: { ...label, interval: 2 },
    },
    yAxis: { ...bare, type: 'category', inverse: true, data: weekdayNames('short'), axisLabel: label },
    tooltip: {
      trigger: 'item',
      confine: true,
      transitionDuration: 0,
      backgroundColor: palette.background,
      borderColor: palette.line,
      textStyle: { color: palette.text, fontFamily: fontOf(), fontSize: 13 },
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const { title, lines } = read(dataIndex);
        return tipOf(title, lines);
      },
    },
    visualMap: {
      show: false,
      min: 0,
      max: Math.max(1, ...hours.flat()),
      inRange: { color: [palette.nothing, ...palette.shades] },
    },
    series: [
      {
        type: 'heatmap',
        data: hours.flatMap((day, row) => day.map((value, hour) => [hour, row, value])),
        itemStyle: { borderColor: palette.background, borderWidth: 2, borderRadius: 3 },
        emphasis: { itemStyle: { borderColor: palette.text, borderWidth: 1.5 } },
      },
    ],
  };
}

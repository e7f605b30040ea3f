import type { EChartsCoreOption } from 'echarts/core';
import { formatNumber, formatShort } from '../texts/format';
import { fontOf } from './chart-canvas';
import { COMPARED_DASH, PALETTES, type Scheme, SYMBOLS } from './palette';
import type { Measure } from './types';

/** Maximum number of points that each have a symbol. */
const MAX_SYMBOLS = 62;

interface Asked {
  measures: readonly Measure[];
  scheme: Scheme;
  /** Names of periods: short ones for the axis, complete ones for the tooltip. */
  shortNames: readonly string[];
  tooltip: (index: number) => HTMLElement;
  /** Whether a range can be selected by dragging. */
  brush: boolean;
  /** Index of the period that has not ended: its point is hollow and not connected, and nothing follows it. */
  running: number;
}

export function timeSeriesOption({
  measures,
  scheme,
  shortNames,
  tooltip,
  brush,
  running,
}: Asked): EChartsCoreOption {
  const palette = PALETTES[scheme];
  const label = { color: palette.faint, fontFamily: fontOf(), fontSize: 12 };
  const single = measures.length === 1 && !measures[0]?.compared;
  return {
    grid: {
      left: 4,
      right: 16,
      top: 16,
      bottom: 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    xAxis: {
      type: 'category',
      boundaryGap: false,
      data: shortNames,
      axisLabel: { ...label, hideOverlap: true, margin: 12 },
      axisLine: { lineStyle: { color: palette.line } },
      axisTick: { show: false },
    },
    yAxis: {
      type: 'value',
      minInterval: 1,
      splitNumber: 4,
      axisLabel: { ...label, formatter: formatShort },
      splitLine: { lineStyle: { color: palette.line } },
    },
    tooltip: {
      trigger: 'axis',
      confine: true,
      transitionDuration: 0,
      backgroundColor: palette.background,
      borderColor: palette.line,
      textStyle: { color: palette.text, fontFamily: fontOf(), fontSize: 13 },
      axisPointer: { lineStyle: { color: palette.faint, type: 'solid' } },
      formatter: (shown: readonly { dataIndex: number }[]) => tooltip(shown[0]?.dataIndex ?? 0),
    },
    ...(brush && {
      brush: {
        xAxisIndex: 0,
        toolbox: [],
        brushStyle: { color: `${palette.series[0]}22`, borderColor: palette.series[0], borderWidth: 1 },
        outOfBrush: { colorAlpha: 1 },
      },
    }),
    series: measures.flatMap(({ name, points, compared }, index) => {
      const values = points.map(({ value }) => value);
      const color = palette.series[index % palette.series.length] ?? palette.text;
      const line = {
        type: 'line',
        symbol: SYMBOLS[index % SYMBOLS.length] ?? SYMBOLS[0],
        symbolSize: 6,
        showSymbol: points.length <= MAX_SYMBOLS,
        emphasis: { disabled: true },
        itemStyle: { color },
      };
      const own = {
        ...line,
        name,
        data: values.map((value, at) => (at < running ? value : NaN)),
        lineStyle: { color, width: 2 },
        ...(single && { areaStyle: { color, opacity: 0.1 } }),
      };
      const open = {
        ...line,
        name,
        data: values.map((value, at) => (at === running ? value : NaN)),
        symbol: `empty${line.symbol.replace(/^./, (letter) => letter.toUpperCase())}`,
        symbolSize: 8,
        showSymbol: true,
      };
      // Keyboard tooltips are positioned at points of the first series.
      const whole = {
        ...line,
        name,
        data: values.slice(0, running + 1),
        showSymbol: false,
        lineStyle: { opacity: 0 },
        silent: true,
      };
      const drawn = running < values.length ? [whole, own, open] : [own];
      if (!compared) return drawn;
      return [
        ...drawn,
        {
          ...line,
          name,
          showSymbol: false,
          // The axis has no place for periods that the compared range has in addition.
          data: compared.slice(0, points.length).map(({ value }) => value),
          lineStyle: { color, width: 1.5, type: COMPARED_DASH, opacity: 0.75 },
          z: 1,
        },
      ];
    }),
  };
}

export interface TipLine {
  readonly name: string;
  readonly value: number | undefined;
}

/** Content of a tooltip, built without HTML, because names are texts from outside. */
export function tipOf(title: string, lines: readonly TipLine[]): HTMLElement {
  const box = document.createElement('div');
  box.style.cssText = 'max-width:280px;white-space:normal;overflow-wrap:anywhere';
  const head = document.createElement('div');
  head.style.cssText = 'font-weight:600;margin-bottom:4px';
  head.textContent = title;
  box.append(head);
  for (const { name, value } of lines) {
    const row = document.createElement('div');
    row.style.cssText = 'display:flex;justify-content:space-between;gap:16px';
    const label = document.createElement('span');
    label.textContent = name;
    const figure = document.createElement('strong');
    figure.textContent = value === undefined ? '–' : formatNumber(value);
    row.append(label, figure);
    box.append(row);
  }
  return box;
}

import { Text, useComputedColorScheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { EChartsType } from 'echarts/core';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTexts } from '../texts/texts';
import { chartCanvas } from './chart-canvas';
import { LazyChart } from './lazy-chart';
import { Legend, legendOf } from './legend';
import { periodName } from './names';
import { Plot } from './plot';
import { PointReader } from './point-reader';
import { daysBetween } from './range';
import { plotTexts } from './texts';
import { type TipLine, timeSeriesOption, tipOf } from './time-series-option';
import type { Interval, Measure, PlotProps, Sheet } from './types';
import { useBrush } from './use-brush';

interface Props extends PlotProps {
  interval: Interval;
  timeZone: string;
  measures: readonly Measure[];
  /** Called with the first and last day of what was dragged over, or selected with Shift and the arrow keys. */
  onRange?: (from: string, to: string) => void;
  height?: number;
}

/** Lines over time, one for each measure, with those of a compared range dashed. */
export function TimeSeries({ interval, timeZone, measures, onRange, height = 280, ...frame }: Props) {
  const t = useTexts(plotTexts);
  const scheme = useComputedColorScheme('light');
  const fine = useMediaQuery('(pointer: fine)');
  const [chart, setChart] = useState<EChartsType | null>(null);
  const legend = legendOf(measures, scheme, (name) => t('compared', { name }));
  const points = useMemo(() => measures[0]?.points ?? [], [measures]);

  const read = useCallback(
    (index: number): { title: string; lines: TipLine[] } => {
      const name = (start: string | undefined) =>
        start === undefined ? '' : periodName(start, interval, timeZone);
      const lines = measures.flatMap((measure): TipLine[] => {
        const own = { name: measure.name, value: measure.points[index]?.value };
        if (!measure.compared) return [own];
        const before = measure.compared[index];
        return [own, { name: `${measure.name}, ${name(before?.start)}`, value: before?.value }];
      });
      return { title: name(points[index]?.start), lines };
    },
    [measures, points, interval, timeZone],
  );

  const select = useCallback(
    (first: number, last: number) => {
      const [from, to] = [points[first], points[last]];
      if (!from || !to || !onRange) return;
      const days = daysBetween(from.start, to.start, interval, timeZone);
      onRange(days.from, days.to);
    },
    [points, interval, timeZone, onRange],
  );

  const draggable = onRange !== undefined && fine && points.length > 2;
  const option = useMemo(
    () =>
      timeSeriesOption({
        measures,
        scheme,
        shortNames: points.map(({ start }) => periodName(start, interval, timeZone, true)),
        tooltip: (index) => {
          const { title, lines } = read(index);
          return tipOf(title, lines);
        },
        brush: draggable,
      }),
    [measures, points, scheme, interval, timeZone, read, draggable],
  );
  useBrush(chart, option, draggable, select);
  useEffect(() => chart?.resize(), [chart, height]);

  const sheet: Sheet = {
    columns: [
      t('period'),
      ...measures.flatMap(({ name, compared }) => (compared ? [name, t('compared', { name })] : [name])),
    ],
    rows: points.map(({ start }, index) => [
      interval === 'hour' ? periodName(start, interval, timeZone) : start,
      ...measures.flatMap((measure) => {
        const own = measure.points[index]?.value ?? null;
        return measure.compared ? [own, measure.compared[index]?.value ?? null] : [own];
      }),
    ]),
  };
  return (
    <Plot
      {...frame}
      sheet={sheet}
      empty={points.length === 0}
      picture={() => chartCanvas(chart, frame.title, scheme, legend)}
    >
      <Legend entries={legend} />
      <PointReader
        label={t(onRange ? 'readPoints' : 'readPlain', { title: frame.title })}
        count={points.length}
        chart={chart}
        read={read}
        {...(onRange && { onSelect: select })}
      >
        <LazyChart option={option} height={height} onChart={setChart} />
      </PointReader>
      {draggable && (
        <Text size="xs" c="dimmed" ta="right" mt={4}>
          {t('dragHint')}
        </Text>
      )}
    </Plot>
  );
}

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
import { daysBetween, isRunning } from './range';
import { plotTexts } from './texts';
import { type TipLine, timeSeriesOption, tipOf } from './time-series-option';
import type { Interval, Measure, PlotProps, Point, Sheet } from './types';
import { useBrush } from './use-brush';
import { useClick } from './use-click';

/** Maximum number of hours of a day. */
const HOURS_OF_DAY = 25;

interface Props extends PlotProps {
  interval: Interval;
  timeZone: string;
  measures: readonly Measure[];
  /** Called with the days of a chosen point, or of points selected by dragging or by keyboard. */
  onRange?: (from: string, to: string) => void;
  height?: number;
}

/** Lines over time, one for each measure; compared ranges are dashed. */
export function TimeSeries({ interval, timeZone, measures, onRange, height = 280, ...frame }: Props) {
  const t = useTexts(plotTexts);
  const scheme = useComputedColorScheme('light');
  const fine = useMediaQuery('(pointer: fine)');
  const [chart, setChart] = useState<EChartsType | null>(null);
  const legend = legendOf(measures, scheme, (name) => t('compared', { name }));
  const points = useMemo(() => measures[0]?.points ?? [], [measures]);

  const running = runningOf(points, interval, timeZone);

  const read = useCallback(
    (index: number): { title: string; lines: TipLine[] } => {
      const name = (start: string | undefined) =>
        start === undefined ? '' : periodName(start, interval, timeZone);
      const title = name(points[index]?.start);
      const lines = measures.flatMap((measure): TipLine[] => {
        const own = { name: measure.name, value: index > running ? undefined : measure.points[index]?.value };
        if (!measure.compared) return [own];
        const before = measure.compared[index];
        return [own, { name: `${measure.name}, ${name(before?.start)}`, value: before?.value }];
      });
      return { title: index === running ? t('soFar', { period: title }) : title, lines };
    },
    [measures, points, interval, timeZone, running, t],
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

  // Within a single day there is nothing to zoom into.
  const oneDay = interval === 'hour' && points.length <= HOURS_OF_DAY;
  const draggable = onRange !== undefined && fine && points.length > 2 && !oneDay;
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
        running,
      }),
    [measures, points, scheme, interval, timeZone, read, draggable, running],
  );
  useBrush(chart, option, draggable, select);
  useClick(chart, points.length, !fine, onRange && !oneDay ? select : null);
  useEffect(() => {
    chart?.resize();
  }, [chart, height]);

  const sheet: Sheet = {
    columns: [
      t('period'),
      ...measures.flatMap(({ name, compared }) => (compared ? [name, t('compared', { name })] : [name])),
    ],
    rows: points.map(({ start }, index) => [
      interval === 'hour' ? periodName(start, interval, timeZone) : start,
      ...measures.flatMap((measure) => {
        const own = index > running ? null : (measure.points[index]?.value ?? null);
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
        label={t(onRange && !oneDay ? 'readPoints' : 'readPlain', { title: frame.title })}
        count={points.length}
        chart={chart}
        read={read}
        {...(onRange && !oneDay && { onSelect: select })}
      >
        <LazyChart option={option} height={height} onChart={setChart} />
      </PointReader>
      {onRange && !oneDay && (
        <Text size="xs" c="dimmed" ta="right" mt={4}>
          {t(fine ? 'clickHint' : 'tapHint')}
        </Text>
      )}
    </Plot>
  );
}

/** Index of the period that has not ended; the number of points if all have. */
function runningOf(points: readonly Point[], interval: Interval, timeZone: string): number {
  const now = new Date();
  const found = points.findIndex(({ start }) => isRunning(start, interval, timeZone, now));
  return found < 0 ? points.length : found;
}

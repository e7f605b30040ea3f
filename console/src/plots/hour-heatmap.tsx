import { useComputedColorScheme } from '@mantine/core';
import type { EChartsType } from 'echarts/core';
import { useCallback, useMemo, useState } from 'react';
import { formatNumber } from '../texts/format';
import { useTexts } from '../texts/texts';
import { chartCanvas } from './chart-canvas';
import { heatmapOption } from './heatmap-option';
import { shadesLegend } from './legend';
import { LazyChart } from './lazy-chart';
import { weekdayNames } from './names';
import { Plot } from './plot';
import { PointReader } from './point-reader';
import { plotTexts } from './texts';
import type { PlotProps } from './types';

const HOURS = 24;

interface Props extends PlotProps {
  /** Seven lists of 24, from Monday, as in the API's `hourOfWeek`. */
  hours: readonly (readonly number[])[];
  /** What is counted. */
  measure: string;
}

/** Heat map of weekdays and hours; darker means more. */
export function HourHeatmap({ hours, measure, ...frame }: Props) {
  const t = useTexts(plotTexts);
  const scheme = useComputedColorScheme('light');
  const [chart, setChart] = useState<EChartsType | null>(null);
  const read = useCallback(
    (index: number) => {
      const [day, hour] = [Math.floor(index / HOURS), index % HOURS];
      const title = `${weekdayNames('long')[day] ?? ''} ${hourName(hour)}–${hourName(hour + 1)}`;
      return { title, lines: [{ name: measure, value: hours[day]?.[hour] }] };
    },
    [hours, measure],
  );
  const option = useMemo(() => heatmapOption({ hours, scheme, read }), [hours, scheme, read]);
  const days = weekdayNames('long');
  return (
    <Plot
      {...frame}
      empty={hours.every((day) => day.every((value) => value === 0))}
      picture={() =>
        chartCanvas(
          chart,
          frame.title,
          scheme,
          shadesLegend(scheme, formatNumber(0), Math.max(...hours.flat())),
        )
      }
      sheet={{
        columns: [t('weekday'), ...Array.from({ length: HOURS }, (_, hour) => hourName(hour))],
        rows: hours.map((values, day) => [days[day] ?? '', ...values]),
      }}
    >
      <PointReader
        label={t('readPlain', { title: frame.title })}
        count={hours.length * HOURS}
        rowLength={HOURS}
        chart={chart}
        read={read}
      >
        <LazyChart option={option} height={260} onChart={setChart} />
      </PointReader>
    </Plot>
  );
}

function hourName(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

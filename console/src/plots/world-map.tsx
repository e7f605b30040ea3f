import { Group, Skeleton, Text, useComputedColorScheme } from '@mantine/core';
import type { EChartsType } from 'echarts/core';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { countryName, formatNumber, formatShort } from '../texts/format';
import { useTexts } from '../texts/texts';
import { chartCanvas } from './chart-canvas';
import { shadesLegend } from './legend';
import { PALETTES } from './palette';
import { Plot } from './plot';
import { plotTexts } from './texts';
import type { PlotProps } from './types';

const WorldChart = lazy(async () => ({ default: (await import('./world-chart')).WorldChart }));
const HEIGHT = 300;
const NOBODY: ReadonlySet<string> = new Set();

interface Props extends PlotProps {
  /** By two-letter code; others, such as `Unknown`, are not drawn. */
  countries: readonly { readonly code: string; readonly value: number }[];
  /** What is counted, for the tooltip. */
  measure: string;
  active?: ReadonlySet<string>;
  onPick?: (code: string) => void;
}

/** World map of countries, shaded by value. */
export function WorldMap({ countries, measure, active = NOBODY, onPick, ...frame }: Props) {
  const t = useTexts(plotTexts);
  const scheme = useComputedColorScheme('light');
  const [chart, setChart] = useState<EChartsType | null>(null);
  const [drawn, setDrawn] = useState<ReadonlySet<string> | null>(null);
  const values = useMemo(
    () =>
      new Map(
        countries.filter(({ code }) => /^[A-Z]{2}$/.test(code)).map(({ code, value }) => [code, value]),
      ),
    [countries],
  );
  useEffect(() => {
    if (!chart || !onPick) return;
    const pick = ({ name }: { name?: unknown }) => {
      if (typeof name === 'string' && values.has(name)) onPick(name);
    };
    chart.on('click', pick as never);
    return () => {
      if (!chart.isDisposed()) chart.off('click', pick);
    };
  }, [chart, values, onPick]);
  const missing = drawn ? [...values].filter(([code, value]) => value > 0 && !drawn.has(code)) : [];
  const { shades, nothing } = PALETTES[scheme];
  const largest = Math.max(0, ...values.values());
  const swatch = { display: 'inline-block', height: 10, borderRadius: 2 };
  return (
    <Plot
      {...frame}
      empty={largest === 0}
      picture={() => chartCanvas(chart, frame.title, scheme, shadesLegend(scheme, t('noClicks'), largest))}
      sheet={{
        columns: [t('country'), t('code'), measure],
        rows: [...values].map(([code, value]) => [countryName(code), code, value]),
      }}
    >
      <div role="img" aria-label={`${frame.title}: ${topOf(values)}`}>
        <Suspense fallback={<Skeleton height={HEIGHT} />}>
          <WorldChart
            values={values}
            measure={measure}
            scheme={scheme}
            active={active}
            height={HEIGHT}
            onChart={setChart}
            onDrawn={setDrawn}
          />
        </Suspense>
      </div>
      <Group gap="md" mt="xs" className="numbers">
        <Group gap={6}>
          <span style={{ ...swatch, width: 16, background: nothing }} />
          <Text size="xs" c="dimmed">
            {t('noClicks')}
          </Text>
        </Group>
        <Group gap={6}>
          <Text size="xs" c="dimmed">
            1
          </Text>
          <span
            style={{ ...swatch, width: 120, background: `linear-gradient(to right, ${shades.join(', ')})` }}
          />
          <Text size="xs" c="dimmed">
            {formatShort(largest)}
          </Text>
        </Group>
        {missing.length > 0 && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            {t('notDrawn', {
              names: missing
                .map(([code, value]) => `${countryName(code)} (${formatNumber(value)})`)
                .join(', '),
            })}
          </Text>
        )}
      </Group>
    </Plot>
  );
}

/** The countries with the largest values, for people who do not see the map. */
function topOf(values: ReadonlyMap<string, number>): string {
  return [...values]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([code, value]) => `${countryName(code)} ${formatNumber(value)}`)
    .join(', ');
}

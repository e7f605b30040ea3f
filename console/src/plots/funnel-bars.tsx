import { Group, Stack, Text, useComputedColorScheme } from '@mantine/core';
import { formatNumber, formatPercent } from '../texts/format';
import { useTexts } from '../texts/texts';
import { barsCanvas } from './bars-canvas';
import { PALETTES } from './palette';
import { Plot } from './plot';
import { plotTexts } from './texts';
import type { PlotProps, Stage } from './types';

interface Props extends PlotProps {
  stages: readonly Stage[];
}

/** Funnel stages with their counts and their shares of the first and previous stage. */
export function FunnelBars({ stages, ...frame }: Props) {
  const t = useTexts(plotTexts);
  const scheme = useComputedColorScheme('light');
  const { series, nothing } = PALETTES[scheme];
  const first = stages[0]?.count ?? 0;
  const largest = Math.max(0, ...stages.map(({ count }) => count));
  const rows = stages.map(({ name, count }, index) => ({
    name,
    value: count,
    share: shareOf(count, first),
    // Omitted for the second stage, whose previous stage is the first.
    ofPrevious: index < 2 ? null : shareOf(count, stages[index - 1]?.count ?? 0),
  }));
  const sheet = {
    columns: [t('stage'), t('value'), t('ofFirst'), t('ofPrevious')],
    rows: rows.map(({ name, value, share, ofPrevious }) => [
      name,
      value,
      percentOf(share),
      percentOf(ofPrevious),
    ]),
  };
  return (
    <Plot
      {...frame}
      sheet={sheet}
      empty={largest === 0}
      picture={() => barsCanvas(frame.title, rows, scheme)}
    >
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} className="numbers">
        {rows.map(({ name, value, share, ofPrevious }, index) => (
          <li key={name}>
            <Group justify="space-between" gap="xs" wrap="nowrap" mb={4}>
              <Text size="sm" truncate title={name}>
                {name}
              </Text>
              <Text size="sm" fw={600}>
                {formatNumber(value)}
              </Text>
            </Group>
            <div style={{ height: 14, borderRadius: 4, background: nothing, overflow: 'hidden' }}>
              <div
                style={{
                  width: `${(value / largest) * 100}%`,
                  minWidth: value > 0 ? 2 : 0,
                  height: '100%',
                  background: series[0],
                }}
              />
            </div>
            {index > 0 && (
              <Text size="xs" c="dimmed" mt={2}>
                {[
                  share !== null && t('shareOfFirst', { share: formatPercent(share) }),
                  ofPrevious !== null && t('shareOfPrevious', { share: formatPercent(ofPrevious) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            )}
          </li>
        ))}
      </Stack>
    </Plot>
  );
}

/** Null if it would exceed 100 %, because people skipped stages. */
function shareOf(count: number, whole: number): number | null {
  return whole > 0 && count <= whole ? count / whole : null;
}

function percentOf(share: number | null): string | null {
  return share === null ? null : formatPercent(share);
}

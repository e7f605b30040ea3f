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

/** Stages that people pass one after the other: how many came to each, of all and of the stage before. */
export function FunnelBars({ stages, ...frame }: Props) {
  const t = useTexts(plotTexts);
  const scheme = useComputedColorScheme('light');
  const { series, nothing } = PALETTES[scheme];
  const first = stages[0]?.count ?? 0;
  const rows = stages.map(({ name, count }, index) => ({
    name,
    value: count,
    share: shareOf(count, first),
    ofPrevious: index === 0 ? null : shareOf(count, stages[index - 1]?.count ?? 0),
  }));
  const sheet = {
    columns: [t('stage'), t('value'), t('ofFirst'), t('ofPrevious')],
    rows: rows.map(({ name, value, share, ofPrevious }) => [
      name,
      value,
      formatPercent(share),
      ofPrevious === null ? null : formatPercent(ofPrevious),
    ]),
  };
  return (
    <Plot {...frame} sheet={sheet} empty={first === 0} picture={() => barsCanvas(frame.title, rows, scheme)}>
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} className="numbers">
        {rows.map(({ name, value, share, ofPrevious }) => (
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
                  width: `${Math.min(1, share) * 100}%`,
                  minWidth: value > 0 ? 2 : 0,
                  height: '100%',
                  background: series[0],
                }}
              />
            </div>
            {ofPrevious !== null && (
              <Text size="xs" c="dimmed" mt={2}>
                {t('stageShares', { first: formatPercent(share), previous: formatPercent(ofPrevious) })}
              </Text>
            )}
          </li>
        ))}
      </Stack>
    </Plot>
  );
}

function shareOf(count: number, whole: number): number {
  return whole > 0 ? count / whole : 0;
}

import { Group, Select, Text } from '@mantine/core';
import { daysName } from '../../../plots/names';
import { RANGES } from '../../../plots/range';
import { rangeTexts } from '../../../plots/range-texts';
import type { AnalyticsView } from '../../../plots/use-analytics-view';
import { useTexts } from '../../../texts/texts';

/** Range of the statistics, without intervals and comparisons. */
export function RangeSelect({ view, timeZone = view.timeZone }: { view: AnalyticsView; timeZone?: string }) {
  const t = useTexts(rangeTexts);
  const { chosen, days, change } = view;
  const known = RANGES.find((range) => range === chosen.range) ?? '30d';
  const options = RANGES.filter((range) => range !== 'custom' || known === 'custom');
  return (
    <Group gap="xs">
      <Select
        aria-label={t('range')}
        w={200}
        allowDeselect={false}
        data={options.map((value) => ({ value, label: t(value) }))}
        value={known}
        onChange={(range) => {
          if (range !== null && range !== 'custom') change({ range, from: '', to: '', interval: '' });
        }}
      />
      <Text size="xs" c="dimmed">
        {daysName(days)} · {t('zone', { timeZone })}
      </Text>
    </Group>
  );
}

import { Button, CloseButton, Group, Paper, Text } from '@mantine/core';
import { useTexts } from '../../texts/texts';
import { entriesOf, keyOf } from '../filters';
import { valueName } from '../names';
import { plotTexts } from '../texts';
import type { AnalyticsView } from '../use-analytics-view';
import { statisticsTexts } from './texts';

interface Props {
  view: AnalyticsView;
  /** Names of values that are ids. */
  names: ReadonlyMap<string, string>;
}

/** The active filters, which can be removed. */
export function FilterChips({ view, names }: Props) {
  const t = useTexts(statisticsTexts);
  const p = useTexts(plotTexts);
  const entries = entriesOf(view.filters);
  if (entries.length === 0) return null;
  return (
    <Group gap="xs" role="group" aria-label={t('filters')}>
      {entries.map(([dimension, value]) => {
        const excluded = value.startsWith('!');
        const key = keyOf(excluded ? value.slice(1) : value);
        const name = valueName(dimension, key, names.get(`${dimension} ${key}`) ?? key, p);
        const shown = excluded ? t('not', { name }) : name;
        return (
          <Paper key={`${dimension} ${value}`} withBorder radius="xl" pl="sm" maw="100%">
            <Group gap={4} wrap="nowrap">
              <Text size="sm" truncate maw={280} title={shown}>
                <Text span size="sm" c="dimmed">
                  {t(dimension)}:
                </Text>{' '}
                <bdi>{shown}</bdi>
              </Text>
              <CloseButton
                radius="xl"
                aria-label={t('filterOut', { name: shown })}
                onClick={() => view.toggle(dimension, value)}
              />
            </Group>
          </Paper>
        );
      })}
      <Button variant="subtle" size="compact-sm" onClick={view.clear}>
        {t('clear')}
      </Button>
    </Group>
  );
}

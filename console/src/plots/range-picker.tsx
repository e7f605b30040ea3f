import { Button, Group, Menu, Popover, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendar, IconChevronDown } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTexts } from '../texts/texts';
import { daysName } from './names';
import { COMPARISONS, intervalsOf, RANGES } from './range';
import { rangeTexts } from './range-texts';
import type { AnalyticsView } from './use-analytics-view';

const CustomRange = lazy(async () => ({ default: (await import('./custom-range')).CustomRange }));
const COMPARISON_TEXTS = {
  none: 'compareNo',
  previous: 'comparePrevious',
  weekdays: 'compareWeekdays',
  year: 'compareYear',
} as const;

interface Props {
  view: AnalyticsView;
  /** Whether intervals can be chosen. */
  intervals?: boolean;
  /** Whether ranges can be compared. */
  comparisons?: boolean;
}

export function RangePicker({ view, intervals = true, comparisons = true }: Props) {
  const t = useTexts(rangeTexts);
  const { chosen, days, interval, compared, change } = view;
  const [choosing, calendar] = useDisclosure(false);
  const known = RANGES.find((range) => range === chosen.range) ?? '30d';
  const comparison = COMPARISONS.find((each) => each === chosen.compare) ?? 'none';
  return (
    <Group gap="xs">
      <Text size="xs" c="dimmed">
        {t('zone', { timeZone: view.timeZone })}
      </Text>
      <Popover
        opened={choosing}
        onChange={(open) => !open && calendar.close()}
        trapFocus
        withRoles={false}
        position="bottom-end"
      >
        <Popover.Target>
          <div>
            <Choice
              label={t('range')}
              shown={known === 'custom' ? daysName(days) : t(known)}
              icon={<IconCalendar size={16} />}
              options={RANGES.map((range) => ({ key: range, name: t(range) }))}
              chosen={known}
              onChoose={(range) => {
                if (range === 'custom') calendar.open();
                else change({ range, from: '', to: '', interval: '' });
              }}
            />
          </div>
        </Popover.Target>
        <Popover.Dropdown role="dialog" aria-label={t('custom')}>
          <Stack gap="xs">
            <Text size="xs" c="dimmed">
              {t('choose')}
            </Text>
            <Suspense fallback={<Skeleton height={280} width={280} />}>
              <CustomRange
                days={days}
                today={view.today}
                onChoose={({ from, to }) => {
                  view.show(from, to);
                  calendar.close();
                }}
              />
            </Suspense>
          </Stack>
        </Popover.Dropdown>
      </Popover>
      {intervals && (
        <Choice
          label={t('interval')}
          shown={t(interval)}
          options={intervalsOf(days).map((each) => ({ key: each, name: t(each) }))}
          chosen={interval}
          onChoose={(each) => change({ interval: each })}
        />
      )}
      {comparisons && (
        <Choice
          label={t('compare')}
          shown={comparison === 'none' ? t('compareNone') : t(COMPARISON_TEXTS[comparison])}
          options={COMPARISONS.map((each) => ({ key: each, name: t(COMPARISON_TEXTS[each]) }))}
          chosen={comparison}
          {...(compared && { note: daysName(compared) })}
          onChoose={(compare) => change({ compare })}
        />
      )}
    </Group>
  );
}

interface ChoiceProps<Key extends string> {
  label: string;
  shown: string;
  icon?: React.ReactNode;
  options: readonly { key: Key; name: string }[];
  chosen: Key;
  note?: string;
  onChoose: (key: Key) => void;
}

function Choice<Key extends string>({
  label,
  shown,
  icon,
  options,
  chosen,
  note,
  onChoose,
}: ChoiceProps<Key>) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          aria-label={`${label}: ${shown}`}
          title={note}
          leftSection={icon}
          rightSection={<IconChevronDown size={14} />}
        >
          {shown}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={chosen} onChange={(key) => onChoose(key as Key)}>
          {options.map(({ key, name }) => (
            <Menu.RadioItem
              key={key}
              value={key}
              closeMenuOnClick
              onClick={() => key === chosen && onChoose(key)}
            >
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

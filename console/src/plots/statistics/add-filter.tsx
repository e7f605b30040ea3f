import { Button, Popover, SegmentedControl, Select, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../texts/texts';
import { DIMENSIONS, literalOf } from '../filters';
import type { Dimension, Metric } from '../types';
import type { AnalyticsView } from '../use-analytics-view';
import type { Scope } from './click-query';
import { statisticsTexts } from './texts';
import { NAMED, useValues } from './use-values';

const SETTLED_MS = 250;
const FREE = 'free ';

interface Props {
  view: AnalyticsView;
  scope: Scope;
  metric: Metric;
  /** Called with the name of a chosen value. */
  onGroups: (dimension: Dimension, groups: readonly { key: string; name: string }[]) => void;
}

/** Adds a filter by a value of a dimension that clicks must or must not have. */
export function AddFilter({ view, scope, metric, onGroups }: Props) {
  const t = useTexts(statisticsTexts);
  const [dimension, setDimension] = useState<Dimension>('country');
  const [excluded, setExcluded] = useState(false);
  const own = scope.link ?? scope.campaign;
  const dimensions = DIMENSIONS.filter(
    (each) =>
      (each !== 'bot' || metric === 'bots') &&
      (own === undefined || (each !== 'link' && each !== 'campaign')),
  );
  const add = (key: string, name: string) => {
    onGroups(dimension, [{ key, name }]);
    view.toggle(dimension, `${excluded ? '!' : ''}${literalOf(key)}`);
  };
  return (
    <Popover position="bottom-start" width="min(22rem, calc(100vw - 32px))" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" size="compact-sm" leftSection={<IconPlus size={14} />}>
          {t('addFilter')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('addFilter')}>
        <Stack gap="sm">
          <Select
            label={t('filterBy')}
            allowDeselect={false}
            data={dimensions.map((each) => ({ value: each, label: t(each) }))}
            value={dimension}
            onChange={(chosen) => chosen && setDimension(chosen)}
            comboboxProps={{ withinPortal: false }}
          />
          <SegmentedControl
            aria-label={t('value')}
            data={[
              { value: 'is', label: t('is') },
              { value: 'isNot', label: t('isNot') },
            ]}
            value={excluded ? 'isNot' : 'is'}
            onChange={(chosen) => setExcluded(chosen === 'isNot')}
          />
          <Value
            key={dimension}
            view={view}
            scope={scope}
            metric={metric}
            dimension={dimension}
            onAdd={add}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface ValueProps extends Omit<Props, 'onGroups'> {
  dimension: Dimension;
  onAdd: (key: string, name: string) => void;
}

/** Searches values while typing. Text that matches none is accepted as typed, except in dimensions of ids. */
function Value({ dimension, onAdd, ...page }: ValueProps) {
  const t = useTexts(statisticsTexts);
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search, SETTLED_MS);
  const values = useValues({ ...page, dimension, search: settled });
  const text = search.trim();
  const same = (one: string) => one.toLowerCase() === text.toLowerCase();
  const free =
    text !== '' && !NAMED.includes(dimension) && !values.some(({ key, name }) => same(key) || same(name));
  return (
    <Select
      label={t('value')}
      placeholder={t('searchValues')}
      searchable
      maxDropdownHeight={240}
      nothingFoundMessage={t('noValues')}
      data={[
        ...values.map(({ key, name }) => ({ value: key, label: name })),
        ...(free ? [{ value: `${FREE}${text}`, label: t('useValue', { value: text }) }] : []),
      ]}
      filter={({ options }) =>
        options.filter(
          (option) =>
            'value' in option &&
            (option.value.startsWith(FREE) || option.label.toLowerCase().includes(text.toLowerCase())),
        )
      }
      value={null}
      searchValue={search}
      onSearchChange={setSearch}
      onChange={(chosen) => {
        if (chosen === null) return;
        const key = chosen.startsWith(FREE) ? chosen.slice(FREE.length) : chosen;
        onAdd(key, values.find((value) => value.key === key)?.name ?? key);
        setSearch('');
      }}
      comboboxProps={{ withinPortal: false }}
    />
  );
}

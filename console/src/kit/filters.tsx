import { Button, Indicator, Pill, Popover, Select, SimpleGrid, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';
import { limited, tooLong } from './limited';

/** A filter that is set. */
export interface SetFilter {
  readonly key: string;
  /** What it filters by. */
  readonly name: string;
  /** The value that is chosen. */
  readonly value: string;
  readonly remove: () => void;
}

interface MenuProps {
  readonly set: readonly SetFilter[];
  readonly onClear: () => void;
  /** The fields. */
  readonly children: ReactNode;
}

/** The button "Filters" with its fields, and each filter that is set, to be removed. */
export function FilterMenu({ set, onClear, children }: MenuProps) {
  const t = useTexts(common);
  return (
    <>
      <Popover position="bottom-start" width="min(36rem, calc(100vw - 32px))" shadow="md" trapFocus>
        <Indicator disabled={set.length === 0} label={set.length} size={18}>
          <Popover.Target>
            <Button variant="default" leftSection={<IconFilter size={16} />}>
              {t('filters')}
            </Button>
          </Popover.Target>
        </Indicator>
        <Popover.Dropdown aria-label={t('filters')} mah="70vh" style={{ overflowY: 'auto' }}>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            {children}
          </SimpleGrid>
        </Popover.Dropdown>
      </Popover>
      {set.map(({ key, name, value, remove }) => (
        <Pill
          key={key}
          size="lg"
          withRemoveButton
          // Mantine hides it from screen readers and from the keyboard.
          removeButtonProps={{
            'aria-label': t('removeFilter', { name }),
            'aria-hidden': false,
            tabIndex: 0,
          }}
          onRemove={remove}
        >
          {`${name}: ${value}`}
        </Pill>
      ))}
      {set.length > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={onClear}>
          {t('clearFilters')}
        </Button>
      )}
    </>
  );
}

interface FieldProps {
  readonly label: string;
  /** Empty if the filter is not set. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const SEARCHED_FROM = 9;

/** One of several values. */
export function FilterChoice({
  label,
  value,
  onChange,
  data,
}: FieldProps & { data: readonly { value: string; label: string }[] }) {
  const t = useTexts(common);
  return (
    <Select
      label={label}
      placeholder={t('any')}
      clearable
      clearButtonProps={{ 'aria-label': t('removeFilter', { name: label }) }}
      searchable={data.length >= SEARCHED_FROM}
      data={[...data]}
      value={value || null}
      onChange={(chosen) => onChange(chosen ?? '')}
      comboboxProps={{ withinPortal: false }}
    />
  );
}

/** A date. While its year is typed it passes through the year 2. */
export function FilterDay({ label, value, onChange }: FieldProps) {
  const [typed, setTyped] = useTypedOf(value);
  const type = (day: string) => {
    setTyped(day);
    if (day === '' || day >= '1000') onChange(day);
  };
  return (
    <TextInput
      type="date"
      label={label}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

/** A text that the API compares whole, so it is set when the field is left. */
export function FilterText({ label, value, onChange, max }: FieldProps & { max: number }) {
  const t = useTexts(common);
  const [typed, setTyped] = useTypedOf(value);
  const send = () => {
    if (typed.trim() !== value && tooLong(typed, max) === null) onChange(typed.trim());
  };
  return (
    <TextInput
      label={label}
      placeholder={t('any')}
      {...limited(max, { value: typed })}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={send}
      onKeyDown={(event) => event.key === 'Enter' && send()}
    />
  );
}

/** What is typed for a value; it follows a value that is changed elsewhere. */
function useTypedOf(value: string): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  return [typed, setTyped];
}

import { Button, Indicator, Pill, Popover, Select, SimpleGrid, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';
import { limited, tooLong } from './limited';

export interface SetFilter {
  readonly key: string;
  readonly name: string;
  readonly value: string;
  readonly remove: () => void;
}

interface MenuProps {
  readonly set: readonly SetFilter[];
  readonly onClear: () => void;
  readonly children: ReactNode;
}

/** The button "Filters" with its fields, and a removable chip for each active filter. */
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
          // Mantine hides the button from screen readers and from the keyboard.
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
  /** Empty if the filter is not active. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const SEARCHED_FROM = 9;

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

/** A filter by date. The incomplete year is also a date while it is typed (such as 2), so it is not applied yet. */
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

/** A filter by exact text, applied when the field loses focus. */
interface TextProps extends FieldProps {
  max: number;
  /** What an empty field means; default: any value. */
  placeholder?: string;
  error?: string | undefined;
}

export function FilterText({ label, value, onChange, max, placeholder, error }: TextProps) {
  const t = useTexts(common);
  const [typed, setTyped] = useTypedOf(value);
  const send = () => {
    if (typed.trim() !== value && tooLong(typed, max) === null) onChange(typed.trim());
  };
  return (
    <TextInput
      label={label}
      placeholder={placeholder ?? t('any')}
      {...limited(max, { value: typed, error })}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={send}
      onKeyDown={(event) => event.key === 'Enter' && send()}
    />
  );
}

/** The input for a value, which is reset when the value is changed elsewhere. */
function useTypedOf(value: string): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  return [typed, setTyped];
}

import { Loader, Select, type ComboboxData, type ComboboxItem } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';

interface Props {
  label: string;
  placeholder: string;
  data: ComboboxData;
  /** The chosen item, which may be missing in `data`. */
  chosen: ComboboxItem | null;
  clearable: boolean;
  wide?: boolean;
  loading: boolean;
  onSearch: (text: string) => void;
  onChange: (value: string | null) => void;
}

const SETTLED_MS = 250;

/** A choice among more items than a list can hold: the API searches while typing. */
export function SearchSelect(props: Props) {
  const { label, placeholder, data, chosen, clearable, wide = false, loading, onSearch, onChange } = props;
  const search = useDebouncedCallback(
    (text: string) => onSearch(text === chosen?.label ? '' : text.trim()),
    SETTLED_MS,
  );
  return (
    <Select
      aria-label={label}
      placeholder={placeholder}
      searchable
      clearable={clearable}
      allowDeselect={clearable}
      w={{ base: wide ? '100%' : 'calc(50% - 5px)', xs: wide ? 250 : 210 }}
      maxDropdownHeight={320}
      comboboxProps={{ width: 300, position: 'bottom-start' }}
      data={chosen && !contains(data, chosen.value) ? [chosen, ...data] : data}
      value={chosen?.value ?? null}
      // No filtering here, because the API has searched.
      filter={({ options }) => options}
      rightSection={loading ? <Loader size={14} /> : undefined}
      onSearchChange={search}
      onDropdownClose={() => onSearch('')}
      onChange={onChange}
    />
  );
}

function contains(data: ComboboxData, value: string): boolean {
  return data.some((item) => {
    if (typeof item === 'string') return item === value;
    return 'items' in item
      ? contains(item.items as ComboboxData, value)
      : 'value' in item && item.value === value;
  });
}

import { Autocomplete, Select, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { limited } from '../../kit/limited';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { useGroups } from '../contacts/use-groups';
import { type Draft, isAge, type PropertyType } from './condition';
import { segmentTexts } from './texts';

interface Props {
  draft: Draft;
  type: PropertyType;
  /** Known values. */
  values: readonly string[] | null;
  error: ReactNode;
  onChange: (values: string[]) => void;
}

/** Input for the value of a condition, according to its property. */
export function ConditionValue({ draft, type, values, error, onChange }: Props) {
  const t = useTexts(segmentTexts);
  const c = useTexts(common);
  const { propKey, propOp, propValue } = draft;
  const value = propValue[0] ?? '';
  const set = (next: string | null) => onChange(next === null || next === '' ? [] : [next]);
  if (propKey === 'groupIds' && propOp !== 'IN') return <GroupValue value={value} error={error} set={set} />;
  if (propOp === 'IN') {
    return (
      <TagsInput
        aria-label={t('values')}
        placeholder={propValue.length === 0 ? t('valuesHint') : ''}
        data={[...(values ?? [])]}
        acceptValueOnBlur
        value={propValue}
        onChange={onChange}
        error={error}
      />
    );
  }
  if (type === 'BOOLEAN') {
    return (
      <Select
        aria-label={t('value')}
        data={[
          { value: 'true', label: c('yes') },
          { value: 'false', label: c('no') },
        ]}
        value={value}
        allowDeselect={false}
        onChange={set}
        error={error}
      />
    );
  }
  if (isAge(propOp) || type === 'NUMBER') {
    return (
      <TextInput
        aria-label={t(isAge(propOp) ? 'days' : 'value')}
        placeholder={t(isAge(propOp) ? 'days' : 'value')}
        inputMode="decimal"
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
        error={error}
      />
    );
  }
  if (type === 'DATE') {
    return (
      <TextInput
        type={value.includes('T') ? 'datetime-local' : 'date'}
        step={value.includes('T') ? 1 : undefined}
        aria-label={t('value')}
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
        error={error}
      />
    );
  }
  return (
    <Autocomplete
      aria-label={t('value')}
      placeholder={t('value')}
      data={[...(values ?? [])]}
      {...limited(2000, { value, error })}
      onChange={set}
    />
  );
}

interface GroupProps {
  value: string;
  error: ReactNode;
  set: (value: string | null) => void;
}

function GroupValue({ value, error, set }: GroupProps) {
  const t = useTexts(segmentTexts);
  const groups = useGroups().map(({ id, name }) => ({ value: String(id), label: name }));
  const known = value === '' || groups.some((group) => group.value === value);
  return (
    <Select
      aria-label={t('value')}
      placeholder={t('groupIds')}
      searchable
      data={known ? groups : [...groups, { value, label: `#${value}` }]}
      value={value === '' ? null : value}
      onChange={set}
      error={error}
    />
  );
}

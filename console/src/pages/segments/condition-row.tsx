import { ActionIcon, Group, Paper, Select, SimpleGrid } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../../texts/texts';
import { type Draft, EMPTY, isComparing, isPresence, type Operator, type PropertyType } from './condition';
import { ConditionValue } from './condition-value';
import { operatorLabel } from './operator-label';
import { segmentTexts } from './texts';
import type { Properties } from './use-properties';

interface Props {
  draft: Draft;
  number: number;
  properties: Properties;
  /** The API's error about a field. */
  problem: (field: keyof Draft) => ReactNode;
  onChange: (draft: Draft) => void;
  /** Absent for the only condition. */
  onRemove?: () => void;
}

/** Operators of a property that is not known yet. */
const CUSTOM_OPERATORS: readonly Operator[] = [
  'EQ',
  'NE',
  'GT',
  'GTE',
  'LT',
  'LTE',
  'CONTAINS',
  'STARTS_WITH',
  'IN',
  'EXISTS',
  'NOT_EXISTS',
  'WITHIN_LAST_DAYS',
  'BEFORE_LAST_DAYS',
];
const CUSTOM_COMPARABLE: readonly PropertyType[] = ['CUSTOM', 'NUMBER', 'DATE', 'TEXT'];

/** A condition: property, operator, and a value or another property. */
export function ConditionRow({ draft, number, properties, problem, onChange, onRemove }: Props) {
  const t = useTexts(segmentTexts);
  const { propKey, propOp, compareKey } = draft;
  const property = properties.find(propKey);
  const type = properties.typeOf(propKey);
  const operators = property?.operators ?? CUSTOM_OPERATORS;
  const comparable = property?.comparableTypes ?? CUSTOM_COMPARABLE;
  const mayCompare = isComparing(propOp) && comparable.length > 0 && propKey !== '';
  const setKey = (key: string) => {
    const allowed = properties.find(key)?.operators ?? CUSTOM_OPERATORS;
    onChange({
      ...EMPTY,
      propKey: key,
      propOp: allowed.includes(propOp) ? propOp : (allowed[0] ?? 'EQ'),
      propValue: properties.typeOf(key) === 'BOOLEAN' ? ['true'] : [],
    });
  };
  const setOperator = (next: Operator) =>
    onChange({
      ...draft,
      propOp: next,
      // Operators other than IN take a single value.
      propValue: next === 'IN' ? draft.propValue : draft.propValue.slice(0, 1),
      compareKey: isComparing(next) ? compareKey : null,
    });
  return (
    <Paper bg="var(--mantine-color-default-hover)" p="xs" radius="md">
      <Group align="flex-start" wrap="nowrap" gap="xs">
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xs" flex={1} miw={0}>
          <PropertyField
            value={propKey}
            properties={properties}
            error={problem('propKey')}
            onChange={setKey}
          />
          <Select
            aria-label={t('operator')}
            data={operators.map((value) => ({ value, label: operatorLabel(t, value, type) }))}
            value={propOp}
            allowDeselect={false}
            disabled={propKey === ''}
            error={problem('propOp')}
            onChange={(value) => value !== null && setOperator(value)}
          />
          {!isPresence(propOp) && (
            <div>
              {compareKey === null ? (
                <ConditionValue
                  draft={draft}
                  type={type}
                  values={property?.values ?? null}
                  error={problem('propValue')}
                  onChange={(propValue) => onChange({ ...draft, propValue })}
                />
              ) : (
                <PropertyField
                  label={t('compareKey')}
                  value={compareKey}
                  properties={properties}
                  types={comparable}
                  error={problem('compareKey')}
                  onChange={(key) => onChange({ ...draft, compareKey: key, propValue: [] })}
                />
              )}
              {mayCompare && (
                <Select
                  size="xs"
                  mt={4}
                  variant="unstyled"
                  aria-label={t('compareWith')}
                  allowDeselect={false}
                  data={[
                    { value: 'value', label: `${t('compareWith')}: ${t('withValue')}` },
                    { value: 'property', label: `${t('compareWith')}: ${t('withProperty')}` },
                  ]}
                  value={compareKey === null ? 'value' : 'property'}
                  onChange={(what) =>
                    onChange({ ...draft, propValue: [], compareKey: what === 'property' ? '' : null })
                  }
                />
              )}
            </div>
          )}
        </SimpleGrid>
        {onRemove && (
          <ActionIcon
            variant="subtle"
            color="gray"
            mt={4}
            aria-label={t('removeCondition', { number })}
            onClick={onRemove}
          >
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </Group>
    </Paper>
  );
}

interface PropertyProps {
  label?: string;
  value: string;
  properties: Properties;
  types?: readonly PropertyType[];
  error: ReactNode;
  onChange: (key: string) => void;
}

/** A property by name; the name of an unknown attribute can be typed. */
function PropertyField({ label, value, properties, types, error, onChange }: PropertyProps) {
  const t = useTexts(segmentTexts);
  const [search, setSearch] = useState('');
  const options = properties.options(types);
  const known = new Set(options.flatMap(({ items }) => items.map((item) => item.value)));
  const others = [value, search.trim() === '' ? '' : `custom.${search.trim()}`].filter(
    (key, index, keys) => key !== '' && !known.has(key) && keys.indexOf(key) === index,
  );
  const typed = others.map((key) => ({
    value: key,
    label: t('customNamed', { key: key.replace('custom.', '') }),
  }));
  // Mantine uses group names as React keys, so they must be unique.
  const group = t('customFields');
  const custom = options.find((each) => each.group === group);
  const rest = options.filter((each) => each !== custom);
  return (
    <Select
      aria-label={label ?? t('property')}
      placeholder={label ?? t('property')}
      searchable
      maxDropdownHeight={320}
      data={typed.length > 0 ? [...rest, { group, items: [...(custom?.items ?? []), ...typed] }] : options}
      value={value === '' ? null : value}
      allowDeselect={false}
      error={error}
      onSearchChange={(text) => setSearch(text === properties.label(value) ? '' : text)}
      onChange={(key) => key !== null && onChange(key)}
    />
  );
}

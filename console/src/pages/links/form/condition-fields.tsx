import {
  ActionIcon,
  Button,
  Group,
  MultiSelect,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import {
  TargetingConditionFields_property,
  TargetingRuleFields_countries,
  TargetingRuleFields_devices,
} from '../../../api/values.gen';
import { limited } from '../../../kit/limited';
import { countryName, languageName, weekdayName } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import { WEEKDAYS } from '../rule-sentence';
import { ruleTexts } from '../rule-texts';
import { errorOf } from './errors';
import { formTexts } from './texts';
import type { ConditionValues } from './routing-values';
import type { SharedForm } from './shared-values';

const MAX_CONDITIONS = 10;
export const SYSTEMS = ['iOS', 'Android', 'Windows', 'macOS', 'Linux', 'Chrome OS'];
const LANGUAGES = (
  'ar bn cs da de el en en-GB en-US es es-MX fi fr fr-CA he hi hu id it ja ko ms nl no pl pt pt-BR pt-PT ro ru sv th ' +
  'tr uk vi zh zh-CN zh-TW'
).split(' ');
const HINTS = { region: 'regionHint', city: 'cityHint', query: 'queryHint', time: 'timeHint' } as const;

/** Further conditions of a targeting rule. @param at path of the rule in the form */
export function ConditionFields({ form, at, index }: { form: SharedForm; at: string; index: number }) {
  const t = useTexts(ruleTexts);
  const f = useTexts(formTexts);
  const path = `${at}.conditions`;
  const conditions = form.getValues().targeting[index]?.conditions ?? [];
  return (
    <Stack gap="sm">
      {conditions.map((condition, i) => (
        <Stack key={i} gap="xs" role="group" aria-label={t('condition', { number: i + 1 })}>
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <Select
              flex={1}
              miw={0}
              label={t('property')}
              data={TargetingConditionFields_property.map((value) => ({ value, label: t(value) }))}
              allowDeselect={false}
              value={condition.property}
              onChange={(property) => {
                const change = {
                  ...conditionOf(property ?? condition.property),
                  operator: condition.operator,
                };
                form.setFieldValue(`${path}.${i}`, change);
              }}
              error={form.errors[`${path}.${i}.property`]}
            />
            <Select
              w={110}
              label={t('operator')}
              data={(['IS', 'IS_NOT'] as const).map((value) => ({ value, label: t(value) }))}
              allowDeselect={false}
              {...form.getInputProps(`${path}.${i}.operator`)}
            />
            <ActionIcon
              variant="default"
              size="input-sm"
              aria-label={f('remove', { name: t('condition', { number: i + 1 }) })}
              onClick={() => form.removeListItem(path, i)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
          {condition.property === 'query' && (
            <TextInput
              label={t('parameter')}
              placeholder="ref"
              required
              {...limited(100, form.getInputProps(`${path}.${i}.parameter`))}
            />
          )}
          <Values
            condition={condition}
            props={form.getInputProps(`${path}.${i}.values`)}
            error={errorOf(form, `${path}.${i}.values`)}
          />
          {(condition.property === 'weekday' || condition.property === 'time') && (
            <Select
              label={t('timeZone')}
              searchable
              allowDeselect={false}
              limit={50}
              data={[...new Set([condition.timeZone, ...Intl.supportedValuesOf('timeZone')])]}
              {...form.getInputProps(`${path}.${i}.timeZone`)}
            />
          )}
        </Stack>
      ))}
      <ListProblem error={form.errors[path]} />
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        disabled={conditions.length >= MAX_CONDITIONS}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => form.insertListItem(path, conditionOf('language'))}
      >
        {t('addCondition')}
      </Button>
    </Stack>
  );
}

function conditionOf(property: ConditionValues['property']): ConditionValues {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { property, operator: 'IS', values: [], parameter: '', timeZone };
}

interface ValuesProps {
  condition: ConditionValues;
  props: object;
  error: React.ReactNode;
}

function Values({ condition: { property, values }, props, error }: ValuesProps) {
  const t = useTexts(ruleTexts);
  const label = t('values');
  const choice = (all: readonly string[], nameOf: (value: string) => string) => {
    const data = [...new Set([...all, ...values])].map((value) => ({ value, label: nameOf(value) }));
    const hint = property === 'language' ? t('languageHint') : undefined;
    return (
      <MultiSelect
        label={label}
        description={hint}
        searchable
        required
        data={data}
        {...props}
        error={error}
      />
    );
  };
  switch (property) {
    case 'country':
      return choice(TargetingRuleFields_countries, countryName);
    case 'device':
      return choice(TargetingRuleFields_devices, (value) => t(value as 'Mobile'));
    case 'language':
      return choice(LANGUAGES, languageName);
    case 'weekday':
      return choice(WEEKDAYS, (value) => weekdayName(WEEKDAYS.indexOf(value)));
    case 'os':
      return <TagsInput label={label} required data={SYSTEMS} {...props} error={error} />;
    default:
      return <TagsInput label={label} description={t(HINTS[property])} required {...props} error={error} />;
  }
}

function ListProblem({ error }: { error: React.ReactNode }) {
  return (
    error !== undefined && (
      <Text size="sm" c="var(--mantine-color-error)" role="alert">
        {error}
      </Text>
    )
  );
}

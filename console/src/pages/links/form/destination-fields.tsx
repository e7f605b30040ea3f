import {
  ActionIcon,
  Button,
  Fieldset,
  Group,
  MultiSelect,
  NumberInput,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { TargetingRuleFields_countries, TargetingRuleFields_devices } from '../../../api/values.gen';
import { limited } from '../../../kit/limited';
import { countryName, formatPercent } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import { ruleSentence } from '../rule-sentence';
import { ruleTexts } from '../rule-texts';
import { ConditionFields, SYSTEMS } from './condition-fields';
import { errorOf } from './errors';
import { ruleOf, type RuleValues } from './routing-values';
import type { SharedForm } from './shared-values';
import { formTexts } from './texts';

const MAX_RULES = 20;
const MAX_VARIANTS = 10;

/** Destinations by targeting rules, and variants. @param url the single destination, the first variant by default */
export function DestinationFields({ form, url }: { form: SharedForm; url: string }) {
  return (
    <Stack gap="lg">
      <Rules form={form} />
      <Variants form={form} url={url} />
    </Stack>
  );
}

function Rules({ form }: { form: SharedForm }) {
  const t = useTexts(formTexts);
  const r = useTexts(ruleTexts);
  const rules = form.getValues().targeting;
  const countries = TargetingRuleFields_countries.map((value) => ({ value, label: countryName(value) })).sort(
    (one, other) => one.label.localeCompare(other.label),
  );
  const devices = TargetingRuleFields_devices.map((value) => ({ value, label: t(value) }));
  return (
    <Stack gap="sm">
      <Text size="sm">{t('rulesHint')}</Text>
      {rules.map((rule, index) => {
        const at = `targeting.${index}`;
        const name = t('rule', { number: index + 1 });
        return (
          <Fieldset key={index} legend={name} p="sm">
            <Stack gap="sm">
              <MultiSelect
                label={t('countries')}
                placeholder={t('anyCountry')}
                searchable
                data={countries}
                {...form.getInputProps(`${at}.countries`)}
                error={errorOf(form, `${at}.countries`)}
              />
              <MultiSelect
                label={t('devices')}
                placeholder={t('anyDevice')}
                data={devices}
                {...form.getInputProps(`${at}.devices`)}
                error={errorOf(form, `${at}.devices`)}
              />
              <TagsInput
                label={t('os')}
                placeholder={t('anyOs')}
                data={SYSTEMS}
                {...form.getInputProps(`${at}.os`)}
                error={errorOf(form, `${at}.os`)}
              />
              <ConditionFields form={form} at={at} index={index} />
              {isSayable(rule) && (
                <Text size="sm" c="dimmed">
                  {ruleSentence(ruleOf(rule), r)}
                </Text>
              )}
              <TextInput
                type="url"
                label={t('url')}
                placeholder="https://"
                required

                {...limited(1000, form.getInputProps(`${at}.url`))}
              />
              <Group justify="flex-end" gap="xs">
                <ActionIcon
                  variant="default"
                  aria-label={t('moveUp', { name })}
                  disabled={index === 0}
                  onClick={() => form.reorderListItem('targeting', { from: index, to: index - 1 })}
                >
                  <IconArrowUp size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  aria-label={t('remove', { name })}
                  onClick={() => form.removeListItem('targeting', index)}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Group>
            </Stack>
          </Fieldset>
        );
      })}
      <ListError error={form.errors['targeting']} />
      <Button
        variant="default"
        leftSection={<IconPlus size={16} />}
        disabled={rules.length >= MAX_RULES}
        onClick={() =>
          form.insertListItem('targeting', { countries: [], devices: [], os: [], conditions: [], url: '' })
        }
      >
        {t('addRule')}
      </Button>
    </Stack>
  );
}

function isSayable({ countries, devices, os, conditions }: RuleValues): boolean {
  const lists = [countries, devices, os, ...conditions.map(({ values }) => values)];
  return lists.some((values) => values.length > 0);
}

function Variants({ form, url }: { form: SharedForm; url: string }) {
  const t = useTexts(formTexts);
  const { variants } = form.getValues();
  const sum = variants.reduce((total, { weight }) => total + (Number(weight) || 0), 0);
  const add = () => {
    if (variants.length === 0) form.insertListItem('variants', { url, weight: 50 });
    form.insertListItem('variants', { url: '', weight: 50 });
  };
  return (
    <Stack gap="sm">
      <Text size="sm">{t('variantsHint')}</Text>
      {variants.map(({ weight }, index) => {
        const at = `variants.${index}`;
        const name = t('variant', { number: index + 1 });
        const share = sum > 0 ? (Number(weight) || 0) / sum : 0;
        return (
          <Group key={index} gap="xs" align="flex-start" wrap="nowrap">
            <TextInput
              type="url"
              label={name}
              placeholder="https://"
              required

              flex={1}
              miw={0}
              {...limited(1000, form.getInputProps(`${at}.url`))}
            />
            <NumberInput
              clampBehavior="none"
              label={t('weight', { share: formatPercent(share, 0) })}
              min={1}
              max={1000}
              allowDecimal={false}
              w={110}
              {...form.getInputProps(`${at}.weight`)}
            />
            <ActionIcon
              variant="default"
              size="input-sm"
              mt={24}
              aria-label={t('remove', { name })}
              onClick={() => form.removeListItem('variants', index)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        );
      })}
      <ListError error={form.errors['variants']} />
      <Button
        variant="default"
        leftSection={<IconPlus size={16} />}
        disabled={variants.length >= MAX_VARIANTS}
        onClick={add}
      >
        {t('addVariant')}
      </Button>
    </Stack>
  );
}

function ListError({ error }: { error: React.ReactNode }) {
  return (
    error !== undefined && (
      <Text size="sm" c="var(--mantine-color-error)" role="alert">
        {error}
      </Text>
    )
  );
}

import { Checkbox, NumberInput, PasswordInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useTexts } from '../../../texts/texts';
import type { FieldsProps } from './link-form';
import { formTexts } from './texts';

const MAX_CLICKS = 1_000_000_000;

/** When the link answers, to whom, and how often. */
export function LifeFields({ of: { form }, link }: FieldsProps) {
  const t = useTexts(formTexts);
  const { startsAt, expirationDate, maxClicks, removePassword } = form.getValues();
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput type="datetime-local" label={t('startsAt')} {...form.getInputProps('startsAt')} />
        <TextInput
          type="datetime-local"
          label={t('expirationDate')}
          {...form.getInputProps('expirationDate')}
        />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {t('timeZone', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
      </Text>
      {startsAt !== '' && (
        <TextInput
          type="url"
          label={t('notStartedUrl')}
          description={t('notStartedHint')}
          placeholder="https://"
          maxLength={1000}
          {...form.getInputProps('notStartedUrl')}
        />
      )}
      <NumberInput
        label={t('maxClicks')}
        description={t('maxClicksHint')}
        min={1}
        max={MAX_CLICKS}
        allowDecimal={false}
        thousandSeparator=","
        {...form.getInputProps('maxClicks')}
      />
      {(expirationDate !== '' || maxClicks !== '') && (
        <TextInput
          type="url"
          label={t('expiredUrl')}
          description={t('expiredHint')}
          placeholder="https://"
          maxLength={1000}
          {...form.getInputProps('expiredUrl')}
        />
      )}
      <PasswordInput
        label={t('password')}
        description={link?.hasPassword ? t('passwordKept') : t('passwordHint')}
        autoComplete="new-password"
        disabled={removePassword}
        maxLength={100}
        visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
        {...form.getInputProps('password')}
      />
      {link?.hasPassword && (
        <Checkbox
          label={t('removePassword')}
          {...form.getInputProps('removePassword', { type: 'checkbox' })}
        />
      )}
    </Stack>
  );
}

import { Checkbox, NumberInput, PasswordInput, Stack } from '@mantine/core';
import { limited } from '../../../kit/limited';
import { useTexts } from '../../../texts/texts';
import type { FieldsProps } from './values';
import { PeriodFields } from './period-fields';
import { formTexts } from './texts';

const MAX_CLICKS = 1_000_000_000;

/** Fields for period, password and limit of visits. */
export function LifeFields({ of: { form }, link }: FieldsProps) {
  const t = useTexts(formTexts);
  const { expirationDate, maxClicks, removePassword } = form.getValues();
  const ends = expirationDate !== '' || maxClicks !== '';
  return (
    <Stack gap="sm">
      <PeriodFields form={form} end="expirationDate" ends={ends} expiredHint={t('expiredHint')}>
        <NumberInput
          clampBehavior="none"
          label={t('maxClicks')}
          description={t('maxClicksHint')}
          min={1}
          max={MAX_CLICKS}
          allowDecimal={false}
          thousandSeparator=","
          {...form.getInputProps('maxClicks')}
        />
      </PeriodFields>
      <PasswordInput
        label={t('password')}
        description={link?.hasPassword ? t('passwordKept') : t('passwordHint')}
        autoComplete="new-password"
        disabled={removePassword}

        visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
        {...limited(100, form.getInputProps('password'))}
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

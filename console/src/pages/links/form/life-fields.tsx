import { Checkbox, NumberInput, PasswordInput, Stack } from '@mantine/core';
import { limited } from '../../../kit/limited';
import { useTexts } from '../../../texts/texts';
import type { SharedForm } from './shared-values';
import { PeriodFields } from './period-fields';
import { formTexts } from './texts';

const MAX_CLICKS = 1_000_000_000;

interface Props {
  form: SharedForm;
  /** Name and value of the form field with the end. */
  end: 'expirationDate' | 'expiresAt';
  expiry: string;
  expiredHint: string;
  hasPassword: boolean;
}

/** Fields for period, password and limit of visits. */
export function LifeFields({ form, end, expiry, expiredHint, hasPassword }: Props) {
  const t = useTexts(formTexts);
  const { maxClicks, removePassword } = form.getValues();
  const ends = expiry !== '' || maxClicks !== '';
  return (
    <Stack gap="sm">
      <PeriodFields form={form} end={end} ends={ends} expiredHint={expiredHint}>
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
        description={hasPassword ? t('passwordKept') : t('passwordHint')}
        autoComplete="new-password"
        disabled={removePassword}

        visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
        {...limited(100, form.getInputProps('password'))}
      />
      {hasPassword && (
        <Checkbox
          label={t('removePassword')}
          {...form.getInputProps('removePassword', { type: 'checkbox' })}
        />
      )}
    </Stack>
  );
}

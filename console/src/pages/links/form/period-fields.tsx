import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts';
import { AddressField } from './address-field';
import type { SharedForm } from './shared-values';
import { formTexts } from './texts';

interface Props {
  form: SharedForm;
  /** Name of the form field with the end. */
  end: 'expirationDate' | 'expiresAt';
  /** Whether the form has a condition that ends the link. */
  ends: boolean;
  expiredHint: string;
  /** Fields of other conditions that end it. */
  children?: ReactNode;
}

/** Start and end, and destinations before and after. */
export function PeriodFields({ form, end, ends, expiredHint, children }: Props) {
  const t = useTexts(formTexts);
  const { startsAt, notStartedUrl, expiredUrl } = form.getValues();
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput type="datetime-local" label={t('startsAt')} {...form.getInputProps('startsAt')} />
        <TextInput type="datetime-local" label={t('expirationDate')} {...form.getInputProps(end)} />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {t('timeZone', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
      </Text>
      {(startsAt !== '' || notStartedUrl !== '') && (
        <AddressField form={form} field="notStartedUrl" hint={t('notStartedHint')} />
      )}
      {children}
      {(ends || expiredUrl !== '') && <AddressField form={form} field="expiredUrl" hint={expiredHint} />}
    </Stack>
  );
}

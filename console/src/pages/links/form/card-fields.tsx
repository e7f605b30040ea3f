import { Stack, Text, Textarea, TextInput } from '@mantine/core';
import { limited } from '../../../kit/limited';
import { useTexts } from '../../../texts/texts';
import { AddressField } from './address-field';
import { CardPreview } from './card-preview';
import type { SharedForm } from './shared-values';
import { formTexts } from './texts';

/** The link's preview in messengers. @param url the destination */
export function CardFields({ form, url }: { form: SharedForm; url: string }) {
  const t = useTexts(formTexts);
  const { ogTitle, ogDescription, ogImageUrl } = form.getValues();
  return (
    <Stack gap="sm">
      <Text size="sm">{t('cardHint')}</Text>
      <TextInput label={t('ogTitle')} {...limited(200, form.getInputProps('ogTitle'))} />
      <Textarea
        label={t('ogDescription')}

        autosize
        minRows={2}
        {...limited(500, form.getInputProps('ogDescription'))}
      />
      <AddressField form={form} field="ogImageUrl" />
      <CardPreview url={url.trim()} title={ogTitle} description={ogDescription} image={ogImageUrl.trim()} />
    </Stack>
  );
}
